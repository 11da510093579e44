/// Why a backup could not be written or opened.
public enum BackupError: Error, Equatable, Sendable {
  /// The file is something else.
  case foreign
  /// A later version of the format.
  case version(UInt8)
  /// Bytes are missing, changed or too many. Nothing of it was used.
  case damaged
  /// It is whole, and does not open by this passphrase.
  case passphrase
  /// The passphrase is empty.
  case empty
  /// No memory can be locked, or not enough is there for the passphrase's hash.
  case exhausted
}
