import Glibc

extension SystemError {
  /// Whether the path leads nowhere.
  public var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a program was not found, as opposed to found and not executable.
  public var isAccessDenied: Bool { code == EACCES || code == EPERM }
}
