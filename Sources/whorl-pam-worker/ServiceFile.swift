import Linux
import Wire

/// The file of a PAM service, looked at before PAM reads it.
///
/// For a phase that a service's file does not speak of, and for a service without a file, PAM
/// silently takes what `other` says, which may be anything on this host.
enum ServiceFile {
  /// More than any stack of modules needs.
  private static let sizeLimit = 64 * 1024

  /// Where Linux-PAM looks, in its order.
  private static func folders(_ directory: String?) -> [String] {
    if let directory { [directory] } else { ["/etc/pam.d", "/usr/lib/pam.d"] }
  }

  /// Why the service cannot be relied on; nil when it can.
  static func failure(_ service: WorkerService, in directory: String?) -> WorkerReply? {
    let folders = folders(directory)
    guard
      let folder = folders.first(where: {
        FileFacts(path: "\($0)/\(service.rawValue)")?.kind == .regular
      })
    else {
      return .failure(
        .serviceMissing, "\(service.rawValue) in \(folders.joined(separator: ", "))")
    }
    let file = "\(folder)/\(service.rawValue)"
    // Whoever may write there decides what proves presence.
    for path in [folder, file] where FileFacts(path: path)?.isRootsAlone != true {
      return .failure(.serviceUnsafe, "\(service.rawValue) is not root's alone: \(path)")
    }
    guard let text = SmallFile.text(file, limit: sizeLimit), speaksOfBothPhases(text) else {
      return .failure(.serviceMissing, "\(service.rawValue) lacks auth or account: \(file)")
    }
    return nil
  }

  /// Whether there is a line for the phase auth and one for account, or an included file that may
  /// have them.
  private static func speaksOfBothPhases(_ text: String) -> Bool {
    // By bytes, as PAM reads it.
    let first = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first
    }.map { String(decoding: $0, as: UTF8.self).lowercased() }
    if first.contains("@include") { return true }
    return ["auth", "account"].allSatisfy { phase in
      first.contains(phase) || first.contains("-" + phase)
    }
  }
}
