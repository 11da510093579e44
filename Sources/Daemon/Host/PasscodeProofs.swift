import Linux
import Wire

/// When each user last gave the password since boot, to a login or to the daemon: a file for each,
/// in a folder that a reboot clears, so that a restart of the daemon forgets nobody.
final class PasscodeProofs {
  private let folder: String
  /// CLOCK_BOOTTIME, nanoseconds.
  private var proofs: [UInt32: UInt64] = [:]

  init(folder: String) {
    self.folder = folder
    for name in (try? Folder.names(folder)) ?? [] where name.hasPrefix("proof-") {
      guard let user = UInt32(name.dropFirst("proof-".count)),
        let bytes = try? File(reading: "\(folder)/\(name)").readAll(limit: 64)
      else { continue }
      var decoder = Decoder(bytes)
      // What cannot be read is no proof.
      if let time = try? decoder.uint64() { proofs[user] = time }
    }
  }

  /// - Returns: CLOCK_BOOTTIME in nanoseconds, nil for never since boot.
  func last(_ user: UInt32) -> UInt64? { proofs[user] }

  func prove(_ user: UInt32, now: UInt64) {
    proofs[user] = now
    var encoder = Encoder()
    encoder.uint64(now)
    // A file that cannot be written is forgotten at the next restart, which refuses and no more.
    SmallRecord.write(encoder.bytes, to: "\(folder)/proof-\(user)")
  }
}
