import CLinux
import Glibc

/// A folder with everything below it, as a service keeps it for itself: files and folders of its
/// own, no links, and nothing that anyone else may read or write.
public enum PrivateTree {
  /// The first entry that is not so.
  public struct Flaw: Error, Equatable, Sendable {
    public let path: String
    /// What is wrong with it, to be read after the path.
    public let text: String
  }

  private static let depthLimit = 8

  public static func check(_ path: String) throws(Flaw) {
    try check(path, depth: 0)
  }

  private static func check(_ path: String, depth: Int) throws(Flaw) {
    var status = stat()
    // SAFETY: the text and the out-parameter are valid for the length of the call.
    guard unsafe lstat(path, &status) == 0 else {
      // A log of the database goes when the last program closes it.
      guard errno != ENOENT || depth == 0 else { return }
      throw Flaw(path: path, text: "\(SystemError(code: errno, call: "lstat"))")
    }
    let kind = FileFacts.kind(of: status.st_mode)
    guard kind == .regular || (kind == .directory && depth < depthLimit) else {
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      throw Flaw(path: path, text: isLink ? "is a symbolic link" : "is no regular file or folder")
    }
    guard depth > 0 || kind == .directory else { throw Flaw(path: path, text: "is no folder") }
    guard status.st_uid == geteuid() else {
      throw Flaw(path: path, text: "belongs to uid \(status.st_uid)")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o7777, radix: 8)
      throw Flaw(path: path, text: "lets others in (mode \(mode))")
    }
    guard kind == .directory else { return }
    let names: [String]
    do { names = try Folder.names(path) } catch { throw Flaw(path: path, text: "\(error)") }
    for name in names { try check("\(path)/\(name)", depth: depth + 1) }
  }
}
