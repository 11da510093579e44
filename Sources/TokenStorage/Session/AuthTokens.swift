import Foundation

/// The tokens of one session. Describes itself without them.
public struct AuthTokens: Codable, Equatable, Sendable {
  /// What each request carries.
  public let access: String
  /// What gets the next access token; nil where the server gives none.
  public let refresh: String?

  public init(access: String, refresh: String? = nil) {
    self.access = access
    self.refresh = refresh
  }
}

extension AuthTokens: CustomStringConvertible, CustomReflectable {
  public var description: String {
    "AuthTokens(refresh: \(refresh == nil ? "absent" : "present"))"
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
