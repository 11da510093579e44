/// One term of a constraint.
public enum Requirement: CaseIterable, Hashable, Sendable {
  case biometryAny
  /// A finger of the set that was enrolled when the item was bound.
  case biometryCurrentSet
  case devicePasscode

  /// The factor that evidence for this term must carry.
  public var factor: Factor {
    switch self {
    case .biometryAny, .biometryCurrentSet: .biometry
    case .devicePasscode: .devicePasscode
    }
  }

  var flag: AccessControlFlags {
    switch self {
    case .biometryAny: .biometryAny
    case .biometryCurrentSet: .biometryCurrentSet
    case .devicePasscode: .devicePasscode
    }
  }

  /// The word of the text form.
  public var name: String {
    switch self {
    case .biometryAny: "biometryAny"
    case .biometryCurrentSet: "biometryCurrentSet"
    case .devicePasscode: "devicePasscode"
    }
  }
}
