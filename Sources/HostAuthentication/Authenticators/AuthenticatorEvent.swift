/// What happens before the outcome.
public enum AuthenticatorEvent: Equatable, Sendable {
  /// The module runs and the reader waits for a finger.
  case armed
  /// Text of a module for the person; not to be trusted with a terminal.
  case info(String)
  case problem(String)
}
