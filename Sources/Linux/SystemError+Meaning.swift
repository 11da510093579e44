import Glibc

extension SystemError {
  /// Nothing stands under the name.
  public var isMissing: Bool { code == ENOENT }

  /// A link or another kind of entry stood where a file or folder was asked for.
  public var isWrongKind: Bool { code == ELOOP || code == ENOTDIR }

  /// This user may not.
  public var isForbidden: Bool { code == EACCES }

  /// Arguments and environment are more than a program can be given.
  public var isTooLong: Bool { code == E2BIG }

  /// No space is left on the device, or for its owner.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// A file is, or would become, longer than it may.
  public var isTooLarge: Bool { code == EFBIG }

  public var isReadOnly: Bool { code == EROFS }

  /// Another process has what was asked for.
  public var isTaken: Bool { code == EWOULDBLOCK }

  /// It took longer than it may.
  public var isTimeOut: Bool { code == ETIMEDOUT }

  /// The caller ended it.
  public var isCancel: Bool { code == ECANCELED }

  /// The process or the host has no more of what the call needs.
  public var isExhaustion: Bool {
    code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS
  }
}
