import Security

/// When what is stored can be read, before any act of a person.
public enum KeychainProtection: CaseIterable, Sendable {
  /// From the first unlock after boot; for what work in the background needs.
  case afterFirstUnlockThisDeviceOnly
  case afterFirstUnlock
  /// While the session is unlocked.
  case whenUnlockedThisDeviceOnly
  case whenUnlocked
  /// While unlocked, and as long as the account has a usable password.
  case whenPasscodeSetThisDeviceOnly

  var constant: CFString {
    switch self {
    case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
    case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
    case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
    }
  }
}
