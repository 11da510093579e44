import CLinux
import Glibc

/// What a path leads to, for the checks of an installation.
public struct PathFacts: Equatable, Sendable {
  public enum Kind: Sendable {
    case file, directory, socket, other
  }

  public let kind: Kind
  public let owner: UInt32
  /// The permission bits.
  public let mode: UInt32

  /// Follows links; nil when nothing can be seen there.
  public init?(_ path: String) {
    var status = stat()
    // SAFETY: the text and the out-parameter are valid for the length of the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFSOCK: .socket
      default: .other
      }
    owner = status.st_uid
    mode = UInt32(status.st_mode) & 0o7777
  }

  public var isSocket: Bool { kind == .socket }
}
