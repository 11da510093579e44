/// What a person must prove before an item opens.
public enum Constraint: Hashable, Sendable {
  case none
  /// A finger or the password, whichever is at hand; a reader need not exist.
  case userPresence
  case one(Requirement)
  /// Any of the terms, in canonical order.
  case any([Requirement])
  /// All of the terms, in canonical order.
  case all([Requirement])

  /// The ways to satisfy the constraint: at most four, each of at most three terms.
  ///
  /// Opening needs every term of one of them.
  public var branches: [[Requirement]] {
    switch self {
    case .none: [[]]
    case .userPresence: [[.biometryAny], [.devicePasscode]]
    case .one(let requirement): [[requirement]]
    case .any(let requirements): requirements.map { [$0] }
    case .all(let requirements): [requirements]
    }
  }

  /// Whether any branch is bound to the enrollment state.
  public var bindsEnrollment: Bool {
    branches.contains { $0.contains(.biometryCurrentSet) }
  }

  /// Whether any branch is free of the enrollment state.
  public var hasUnboundBranch: Bool {
    branches.contains { !$0.contains(.biometryCurrentSet) }
  }

  /// Reads the constraint part of `flags` by Apple's rules of validity.
  ///
  /// A companion is never available here: beside `or` it is dropped, since another branch can
  /// still be satisfied; anywhere else the item could never be read, which is refused.
  init(_ flags: AccessControlFlags) throws(AccessControlError) {
    let isAny = flags.contains(.or)
    guard !(isAny && flags.contains(.and)) else { throw .bothOperators }
    guard !flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) else { throw .twoBiometries }
    let constraints = flags.intersection(.constraints)
    let hasOperator = isAny || flags.contains(.and)

    if constraints.contains(.userPresence) {
      guard constraints == .userPresence, !hasOperator else { throw .userPresenceCombined }
      self = .userPresence
      return
    }
    let terms = Requirement.allCases.filter { constraints.contains($0.flag) }
    if constraints.contains(.companion) {
      guard isAny, !terms.isEmpty else { throw .companionNeverAvailable }
    }
    switch terms.count {
    case 0:
      guard !hasOperator else { throw .operatorAlone }
      self = .none
    case 1: self = .one(terms[0])
    default: self = isAny ? .any(terms) : .all(terms)
    }
  }

  var flags: AccessControlFlags {
    switch self {
    case .none: []
    case .userPresence: .userPresence
    case .one(let requirement): requirement.flag
    case .any(let requirements): requirements.reduce(.or) { $0.union($1.flag) }
    case .all(let requirements): requirements.reduce(.and) { $0.union($1.flag) }
    }
  }

  var text: String {
    switch self {
    case .none: "none"
    case .userPresence: "userPresence"
    case .one(let requirement): requirement.name
    case .any(let requirements): requirements.map(\.name).joined(separator: " | ")
    case .all(let requirements): requirements.map(\.name).joined(separator: " & ")
    }
  }
}
