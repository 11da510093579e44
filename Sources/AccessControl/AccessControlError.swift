/// Why an access control is not one. Each is `errSecParam` (-50) to a caller of Apple's names.
public enum AccessControlError: Error, Equatable, Sendable {
  /// `or` and `and` together: only one logical operation can be set.
  case bothOperators
  /// `biometryAny` and `biometryCurrentSet` together: only one biometric constraint can be set.
  case twoBiometries
  /// `userPresence` with another constraint or an operator.
  case userPresenceCombined
  /// A companion device is required, and there is never one.
  case companionNeverAvailable
  /// An operator without a constraint to join.
  case operatorAlone
  /// A flag bit or a word that names nothing.
  case unknownFlag
  /// One of the *always* classes.
  case deprecatedAccessibility
  /// No such protection class.
  case unknownAccessibility
  /// A reuse limit over ``AccessControl/longestReuse``.
  case reuseTooLong
  /// A binary form that this version did not write.
  case malformed

  /// The fact in words, for people.
  public var explanation: String {
    switch self {
    case .bothOperators: "“|” and “&” cannot be mixed in one access control"
    case .twoBiometries: "biometryAny and biometryCurrentSet exclude each other"
    case .userPresenceCombined:
      "userPresence stands alone, or before “+ applicationPassword”"
    case .companionNeverAvailable: "a watch or companion device is never available on Linux"
    case .operatorAlone: "an operator needs constraints to join"
    case .unknownFlag: "unknown word or flag in the access control"
    case .deprecatedAccessibility:
      "the “always” classes are refused: they promise protection and give none; "
        + "use afterFirstUnlock for background work"
    case .unknownAccessibility: "unknown protection class"
    case .reuseTooLong: "evidence can be reused for 300 seconds at most"
    case .malformed: "not an access control of this version"
    }
  }
}
