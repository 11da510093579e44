/// The protection class of an item: when it may be read at all, before any act of a person.
///
/// Raw values are the tags that Apple's keychain stores for its `kSecAttrAccessible…` constants.
/// *This device only* changes nothing about access: it keeps an item out of backups, the one way by
/// which items leave the host.
public enum Accessibility: String, CaseIterable, Sendable {
  /// Readable while the user's session is unlocked. The default.
  case whenUnlocked = "ak"
  /// Readable from the first unlock after boot until the next boot.
  case afterFirstUnlock = "ck"
  case whenUnlockedThisDeviceOnly = "aku"
  case afterFirstUnlockThisDeviceOnly = "cku"
  /// Readable while unlocked, and only as long as the account has a usable password.
  case whenPasscodeSetThisDeviceOnly = "akpu"

  /// The name people write, as in `whorl add --class whenUnlocked`.
  public var name: String {
    switch self {
    case .whenUnlocked: "whenUnlocked"
    case .afterFirstUnlock: "afterFirstUnlock"
    case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
    case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
    case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
    }
  }

  /// Reads a name or a tag.
  ///
  /// - Throws: `.deprecatedAccessibility` for the two *always* classes, which promise protection
  ///   and give none; `.unknownAccessibility` for everything else.
  public init(text: String) throws(AccessControlError) {
    switch text {
    case "always", "alwaysThisDeviceOnly", "dk", "dku":
      throw .deprecatedAccessibility
    default:
      guard let match = Self.allCases.first(where: { $0.name == text || $0.rawValue == text })
      else { throw .unknownAccessibility }
      self = match
    }
  }

  /// The byte of the binary form. Values are never reused.
  var code: UInt8 {
    switch self {
    case .whenUnlocked: 1
    case .afterFirstUnlock: 2
    case .whenUnlockedThisDeviceOnly: 3
    case .afterFirstUnlockThisDeviceOnly: 4
    case .whenPasscodeSetThisDeviceOnly: 5
    }
  }
}
