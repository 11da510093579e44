import Linux
import Wire

/// How many fingers of each user did not match, one after another. Kept in a file, so that a restart
/// of the daemon gives no free tries; one that cannot be read counts as too many.
final class TouchFailures {
  private let folder: String
  private var counts: [UInt32: UInt32] = [:]

  /// - Parameter folder: cleared by a reboot.
  init(folder: String) {
    self.folder = folder
  }

  func misses(_ user: UInt32) -> UInt32 {
    if let count = counts[user] { return count }
    let count = load(user)
    counts[user] = count
    return count
  }

  func miss(_ user: UInt32) {
    let count = misses(user)
    counts[user] = count == .max ? count : count + 1
    var encoder = Encoder()
    encoder.uint32(counts[user] ?? .max)
    SmallRecord.write(encoder.bytes, to: path(user))
  }

  /// A finger matched, or the password was given.
  func forget(_ user: UInt32) {
    guard misses(user) > 0 else { return }
    counts[user] = 0
    try? Folder.remove(file: path(user))
  }

  private func load(_ user: UInt32) -> UInt32 {
    let bytes: [UInt8]
    do { bytes = try File(reading: path(user)).readAll(limit: 64) } catch  where error.isMissing {
      return 0
    } catch { return .max }
    var decoder = Decoder(bytes)
    return (try? decoder.uint32()) ?? .max
  }

  private func path(_ user: UInt32) -> String { "\(folder)/misses-\(user)" }
}
