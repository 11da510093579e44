/// What the check refuses. A rule's name stands in reports and in the comments that excuse a line.
public enum Rule: String, CaseIterable, Sendable {
  case secretInDefaults = "secret-in-defaults"
  case secretInPlist = "secret-in-plist"
  case secretInFile = "secret-in-file"
  case secretInDatabase = "secret-in-database"
  case secretInEnvironment = "secret-in-environment"
  case secretInLog = "secret-in-log"
  case secretInError = "secret-in-error"
  case secretInAnalytics = "secret-in-analytics"
  case missingAccessibility = "missing-accessibility"
  case alwaysAccessible = "always-accessible"
  case unlockedInBackground = "unlocked-in-background"
  case synchronizableSecret = "synchronizable-secret"
  case ignoredStatus = "ignored-status"
  case unhandledDuplicate = "unhandled-duplicate"
  case rawKeychainCall = "raw-keychain-call"
  case tokenOutsideClient = "token-outside-client"
  case authenticationOnlyGate = "authentication-only-gate"
  case missingUsageDescription = "missing-usage-description"
  case excuseWithoutReason = "excuse-without-reason"

  public var name: String { rawValue }

  /// What is wrong, as one sentence without its end.
  public var problem: String {
    switch self {
    case .secretInDefaults: "a secret is kept in UserDefaults, a plain file that backups copy"
    case .secretInPlist: "a secret is kept in a property list, which is plain text"
    case .secretInFile: "a secret is kept in a plain file"
    case .secretInDatabase: "a secret is kept in a database, which is a plain file"
    case .secretInEnvironment: "a secret is set as a default of the environment"
    case .secretInLog: "a secret is printed or logged"
    case .secretInError: "a secret is put in an error, which ends in logs and reports"
    case .secretInAnalytics: "a secret is sent to analytics or crash reports"
    case .missingAccessibility: "SecItemAdd says neither when the item opens nor to whom"
    case .alwaysAccessible:
      "this accessibility class is deprecated: the item opens on a locked device"
    case .unlockedInBackground:
      "background work needs this token, and its class opens only while the device is unlocked"
    case .synchronizableSecret: "the secret leaves the device: it is synchronized"
    case .ignoredStatus: "the OSStatus is ignored, so a failure looks like success"
    case .unhandledDuplicate: "SecItemAdd fails where the item exists, and nothing handles that"
    case .rawKeychainCall: "the keychain is called outside a store type"
    case .tokenOutsideClient: "the token is read outside the HTTP client"
    case .authenticationOnlyGate:
      "a yes or no is all that guards the secret; code that skips the question reads it too"
    case .missingUsageDescription:
      "LAContext without NSFaceIDUsageDescription: on Apple's systems Face ID ends the app"
    case .excuseWithoutReason: "a line is excused without a rule that exists and a reason"
    }
  }

  /// What to do instead.
  public var fix: String {
    switch self {
    case .secretInDefaults, .secretInPlist, .secretInDatabase:
      "keep it in the keychain, and here at most that there is one"
    case .secretInFile: "keep it in the keychain; a file may hold it sealed"
    case .secretInEnvironment:
      "take it from the keychain when it is needed, as with “whorl run --with NAME=VAR”, and fail where it is missing"
    case .secretInLog: "say that there is one (`token != nil`), or mark it `privacy: .private`"
    case .secretInError: "name what failed, the account or a status, not the value"
    case .secretInAnalytics: "send an event without it"
    case .missingAccessibility:
      "add kSecAttrAccessible, as kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, or kSecAttrAccessControl"
    case .alwaysAccessible: "use kSecAttrAccessibleAfterFirstUnlock or its ThisDeviceOnly form"
    case .unlockedInBackground: "use kSecAttrAccessibleAfterFirstUnlock or its ThisDeviceOnly form"
    case .synchronizableSecret: "leave kSecAttrSynchronizable out, and use a ThisDeviceOnly class"
    case .ignoredStatus:
      "compare it with errSecSuccess and throw; for a delete errSecItemNotFound is success too"
    case .unhandledDuplicate: "on errSecDuplicateItem call SecItemUpdate, or delete before"
    case .rawKeychainCall:
      "call a store type, as KeychainService or a SecureStore, and keep SecItem there"
    case .tokenOutsideClient:
      "let the HTTP client ask for it (AuthTokenProviding); here ask only whether there is a session"
    case .authenticationOnlyGate:
      "store the item with an access control and read it with kSecUseAuthenticationContext"
    case .missingUsageDescription: "add NSFaceIDUsageDescription to the Info.plist"
    case .excuseWithoutReason: "write `whorl:allow RULE because …`"
    }
  }
}
