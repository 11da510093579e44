import AccessControl

/// What a right asks of a person.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  let flags: AccessControlFlags

  private init(_ flags: AccessControlFlags) {
    self.flags = flags
  }

  /// A finger or the account's password.
  public static let `default` = LAAuthenticationRequirement(.userPresence)
  /// A finger of any that is enrolled.
  public static let biometry = LAAuthenticationRequirement(.biometryAny)
  /// A finger, and that the enrolled ones are those of when the right was made or saved.
  public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

  /// A finger, or else the fallback.
  public static func biometry(fallback: LABiometryFallbackRequirement) -> Self {
    Self([.biometryAny, .or, fallback.flag])
  }

  var isBiometric: Bool { !flags.contains(.userPresence) && !flags.contains(.devicePasscode) }

  /// The requirement as the access control of what a right keeps.
  ///
  /// - Parameter more: for keys.
  func control(_ more: AccessControlFlags = []) throws(LAError) -> AccessControl {
    do throws(AccessControlError) {
      return try AccessControl(
        accessibility: .whenUnlockedThisDeviceOnly, flags: flags.union(more))
    } catch { throw LAError(.authenticationFailed, error.explanation) }
  }

  /// The requirement of what a right kept.
  convenience init(_ control: AccessControl) {
    self.init(control.flags.subtracting([.privateKeyUsage, .applicationPassword]))
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? LAAuthenticationRequirement)?.flags == flags
  }

  public override var hash: Int { flags.rawValue.hashValue }
}

/// What may take the place of a finger.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  let flag: AccessControlFlags

  private init(_ flag: AccessControlFlags) {
    self.flag = flag
  }

  /// The system's own: the account's password.
  public static let `default` = LABiometryFallbackRequirement(.devicePasscode)
  /// The account's password.
  public static let devicePasscode = LABiometryFallbackRequirement(.devicePasscode)
}
