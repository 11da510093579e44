/// What an HTTP client depends on, and calls on every request. Feature code asks the client for what it
/// wants, and never reads the token itself.
public protocol AuthTokenProviding: Sendable {
  /// The access token; nil without a session.
  func currentToken() async -> String?

  /// The access token after the server refused one; nil when the session is over, or when no other
  /// token can be had now.
  func refreshedToken(replacing refused: String) async -> String?
}

/// How getting the next token failed.
public enum AuthRefreshError: Error, Equatable, Sendable {
  /// The server accepts the refresh token no more: the session is over. Any other error keeps it.
  case rejected
}
