import Glibc

extension SystemError {
  /// Nothing stands under the name.
  public var isMissing: Bool { code == ENOENT }

  /// A link or another kind of entry stood where a file or folder was asked for.
  public var isRefusedLink: Bool { code == ELOOP || code == ENOTDIR }
}
