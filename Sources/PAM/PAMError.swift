/// Why a transaction could not be prepared; the codes are Linux-PAM's return values.
public enum PAMError: Error, Equatable, Sendable {
  /// `pam_start` refused: most often the service file is missing or unreadable.
  case start(code: Int32)
  /// An item could not be set.
  case item(code: Int32)
}
