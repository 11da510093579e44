/// Why a D-Bus call or connection did not give an answer.
public enum BusError: Error, Equatable, Sendable {
  /// libsystemd refused or the connection broke; `errno` as a positive number.
  case system(errno: Int32)
  /// The other side answered with an error of this name. The text is for logs only.
  case remote(name: String, text: String)
  /// No answer within the caller's limit.
  case timedOut
  /// The answer does not have the promised shape.
  case malformed
  /// The connection is closed.
  case disconnected
}
