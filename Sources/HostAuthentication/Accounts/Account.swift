import Wire

/// An account whose uid and name lead to each other.
public struct Account: Equatable, Sendable {
  public let uid: UInt32
  public let name: String
  public let password: PasswordState

  public init(uid: UInt32, name: String, password: PasswordState) {
    self.uid = uid
    self.name = name
    self.password = password
  }
}

/// What the account databases say of a uid.
public enum AccountAnswer: Equatable, Sendable {
  case known(Account)
  /// The uid has no name, or its name belongs to another uid: such a peer is refused.
  case unknown
  /// The databases did not answer in time; nothing is known.
  case unavailable
}
