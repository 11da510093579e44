import Glibc

extension SystemError {
  /// Nothing stands under the name.
  public var isMissing: Bool { code == ENOENT }

  /// A link or another kind of entry stood where a file or folder was asked for.
  public var isWrongKind: Bool { code == ELOOP || code == ENOTDIR }

  /// More bytes than were to be read.
  public var isTooLarge: Bool { code == EFBIG }

  /// No space is left on the device, or for its owner.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The process or the host has no more of what the call needs.
  public var isExhaustion: Bool {
    code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS
  }
}
