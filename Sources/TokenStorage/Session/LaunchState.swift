/// What an app shows at its start.
public enum LaunchState: Sendable {
  /// The store was not read yet.
  case unknown
  case signedIn
  case signedOut
}
