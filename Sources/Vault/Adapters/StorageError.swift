/// Why a store did not do what it was asked. Nothing was changed then.
public enum StorageError: Error, Equatable, Sendable {
  case duplicate
  /// No space left on the device.
  case full
  /// The user's share is used up.
  case quota
  /// What was read is not what was written.
  case corrupted
  /// The device or file system failed, or forbids writing.
  case failed
}
