/// Why a store did not do what it was asked. Nothing was changed then.
public enum StorageError: Error, Equatable, Sendable {
  case duplicate
  /// No space left on the device.
  case full
  /// The user's share is used up.
  case quota
  /// What was read is not what was written.
  case corrupted
  /// Another program holds the store, or the process has no descriptor or memory left for it.
  case busy
  /// It was written by a later version, and is not touched.
  case laterFormat
  /// The file system forbids writing.
  case readOnly
  /// The device or file system failed.
  case failed
}
