/// What an authenticator checks.
public enum Factor: UInt8, CaseIterable, Sendable {
  /// A finger on the reader.
  case biometry = 1
  /// The account's password. People on a terminal read *password*.
  case devicePasscode = 2
  /// The item's own password.
  case applicationPassword = 3
  /// An answer to the authentication agent of the desktop, which does not say how it was given: it
  /// meets userPresence and nothing else.
  case presence = 4
}
