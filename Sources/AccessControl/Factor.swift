/// What an authenticator checks.
public enum Factor: UInt8, CaseIterable, Sendable {
  /// A finger on the reader.
  case biometry = 1
  /// The account's password. People on a terminal read *password*.
  case devicePasscode = 2
  /// The item's own password.
  case applicationPassword = 3
}
