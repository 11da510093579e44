/// How it stands with the secret that a touch at a login releases, to open the user's keyring.
public enum LoginKeyring: UInt8, CaseIterable, Sendable {
  /// The user has not asked for it: nothing is kept.
  case off = 1
  /// It is asked for, and kept from the next login by password.
  case waiting
  /// A touch releases it.
  case ready
  /// The prints or the password changed since: the next login by password makes it ready again.
  case ended

  public enum Action: UInt8, CaseIterable, Sendable {
    case status = 1
    case enable
    case disable
  }
}
