extension AccessControl {
  /// Judges one item: a pure function of its arguments, without clock, input or output.
  ///
  /// - Parameters:
  ///   - bound: the generation the item was bound to, if any.
  ///   - evidence: what the request may use; its scope was decided before.
  ///   - facts: the host's state now.
  public func judge(
    bound: GenerationID?, evidence: [Evidence], facts: Facts
  ) -> Judgement {
    if let refusal = accessibility.refusal(facts) { return .refused(refusal) }
    let isLive = bound != nil && bound == facts.generation
    let branches = constraint.branches.filter { isLive || !$0.contains(.biometryCurrentSet) }
    guard !branches.isEmpty else { return .refused(.invalidated) }

    let isPresent = evidence.contains { $0.factor == .presence && $0.user == facts.user }
    var missing: [[Factor]] = []
    for branch in branches {
      var factors = branch.filter { !$0.isMet(by: evidence, facts) }.map(\.factor)
      if constraint == .userPresence, isPresent { factors = [] }
      if needsApplicationPassword,
        !evidence.contains(where: { $0.factor == .applicationPassword && $0.user == facts.user })
      {
        factors.append(.applicationPassword)
      }
      if factors.isEmpty { return .open(branch) }
      missing.append(factors)
    }

    // A missing factor that cannot be asked for closes its branch.
    let askable = missing.filter { factors in
      (facts.hasPasscode || !factors.contains(.devicePasscode))
        && (facts.biometryObstacle == nil || !factors.contains(.biometry))
    }
    if !askable.isEmpty { return .needEvidence(askable) }
    if let obstacle = facts.biometryObstacle, missing.contains(where: { $0.contains(.biometry) }) {
      return .refused(.biometryUnavailable(obstacle))
    }
    return .refused(.passcodeNotSet)
  }
}

extension Accessibility {
  /// Why the class forbids reading now, or nil.
  public func refusal(_ facts: Facts) -> Refusal? {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly:
      facts.isUnlocked ? nil : .locked
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
      facts.wasUnlockedSinceBoot ? nil : .notUnlockedSinceBoot
    case .whenPasscodeSetThisDeviceOnly:
      !facts.hasPasscode ? .passcodeNotSet : facts.isUnlocked ? nil : .locked
    }
  }
}

extension Requirement {
  fileprivate func isMet(by evidence: [Evidence], _ facts: Facts) -> Bool {
    evidence.contains { evidence in
      guard evidence.user == facts.user, evidence.factor == factor else { return false }
      switch self {
      case .biometryAny, .devicePasscode: return true
      // A finger of another generation proves nothing about this one.
      case .biometryCurrentSet:
        return evidence.generation != nil && evidence.generation == facts.generation
      }
    }
  }
}
