/// What the shadow database says of an account's password, without a word of the hash.
public enum PasswordState: UInt8, Sendable, CaseIterable {
  /// There is no entry, or it cannot be read.
  case unknown = 0
  case usable = 1
  /// The empty password: anyone may log in, so it proves nothing.
  case empty = 2
  /// A hash that was locked (`!`).
  case locked = 3
  /// No password can match (`*`).
  case disabled = 4
  /// The account's expiry date has passed.
  case expired = 5

  public var isUsable: Bool { self == .usable }
}
