import AccessControl
import SecretMemory
import Wire

extension Vault {
  /// Freezes the items of a request as they are now.
  func freeze(
    _ items: [ItemIdentity], _ request: Request, _ caller: PendingOperation.Caller,
    _ secrets: [SecretBytes]
  ) throws(EngineError) -> PendingOperation {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    var frozen: [PendingOperation.FrozenItem] = []
    for identity in items {
      frozen.append(try freeze(identity, owner))
    }
    return PendingOperation(request: request, caller: caller, secrets: secrets, frozen: frozen)
  }

  func freeze(
    _ identity: ItemIdentity, _ owner: Owner
  ) throws(EngineError) -> PendingOperation.FrozenItem {
    let encoded = identity.encoded
    guard let row = try stored(encoded, owner) else {
      throw .failure(Failure(.notFound, detail: identity.displayName))
    }
    return PendingOperation.FrozenItem(
      identity: identity, encodedIdentity: encoded, row: row, kept: try kept(row))
  }

  func stored(_ identity: [UInt8], _ owner: Owner) throws(EngineError) -> StoredItem? {
    let store = try store(of: owner)
    do { return try store.item(identity) } catch { throw .vault(.storage(error)) }
  }

  /// Bytes of a row that is remembered.
  private static var rememberedLimit: Int { 4096 }

  func kept(_ row: StoredItem) throws(EngineError) -> KeptItem {
    if let lastKept, lastKept.bytes == row.sealed { return lastKept.item }
    do {
      let item = try KeptItem(row.sealed)
      if row.sealed.count <= Self.rememberedLimit { lastKept = (row.sealed, item) }
      return item
    } catch { throw .failure(Failure(.corrupted)) }
  }

  /// Judges every frozen item; opens when all are open, else asks for what is missing.
  func advance(_ pending: PendingOperation) throws(EngineError) -> Step {
    var facts = host.facts(for: pending.caller.subject)
    if let obstacle = pending.obstacle { facts.biometryObstacle = obstacle }
    let bound = pending.frozen.contains { $0.header.generation != nil }
    var standing: Generations.Standing?
    if bound {
      standing = try look(pending.owner)
      facts.generation = standing?.live?.id
    }

    var missing: [[Factor]]?
    var acceptsPresence = true
    var used: Set<Factor> = []
    var reuse = AccessControl.longestReuse
    for item in pending.frozen {
      let control = judged(item.header.accessControl, pending.request.operation)
      reuse = min(reuse, control.reuseLimit)
      let evidence = evidence(for: item, pending)
      switch control.judge(
        bound: item.header.generation, evidence: evidence, facts: facts)
      {
      case .open(let branch):
        used.formUnion(Self.used(branch, evidence))
        if control.needsApplicationPassword { used.insert(.applicationPassword) }
      case .needEvidence(let alternatives):
        acceptsPresence = acceptsPresence && control.isMetByPresence
        missing = missing.map { Self.both($0, alternatives) } ?? alternatives
      case .refused(let refusal):
        throw .failure(failure(refusal, item, standing))
      }
    }
    guard missing == nil || pending.request.allowsInteraction else {
      throw .failure(Failure(.interactionNotAllowed))
    }
    // Before anybody is asked: what is not to be had costs no touch.
    let forms = missingForms(pending)
    guard forms.isEmpty else { return .fetch(forms, pending) }
    if let missing {
      pending.promptedReuse = min(pending.request.reuse, reuse)
      _ = place(of: pending)
      return .gather(
        Gathering(
          alternatives: missing, items: pending.frozen.map(\.identity.displayName),
          reuse: pending.toldReuse, reusesInContext: pending.reusesInContext,
          acceptsPresence: acceptsPresence), pending)
    }
    // Between freezing and here nothing waited unless a person was asked, now or earlier.
    if pending.waited || !used.isEmpty { try checkAgain(pending) }
    return try finish(pending, standing?.live, used.sorted { $0.rawValue < $1.rawValue })
  }

  /// The factors that opened a branch: what an agent of the desktop said stands for any of them.
  static func used(_ branch: [Requirement], _ evidence: [Evidence]) -> [Factor] {
    branch.map(\.factor).map { factor in
      evidence.contains { $0.factor == factor } ? factor : .presence
    }
  }

  /// Evidence of this request, of its context and of the reuse the item allows.
  func evidence(
    for item: PendingOperation.FrozenItem, _ pending: PendingOperation
  ) -> [Evidence] {
    pending.evidence.filter { evidence in
      // An application password was proven for the items whose salts were derived only.
      guard evidence.factor == .applicationPassword else { return true }
      return item.header.salt.map { pending.derived[$0] != nil } ?? false
    }
      + scopes.evidence(
        for: pending.request, by: pending.caller,
        itemLimit: item.header.accessControl.reuseLimit, now: host.uptime,
        at: place(of: pending))
  }

  /// The login session and terminal the caller was in when its request first depended on them;
  /// nil when the process is gone.
  ///
  /// Most requests never do, so that they are not read at accept. That is no weaker: a process
  /// that changes its session between connecting and asking could as well have changed it before
  /// connecting. From here on they are frozen, and checked again before anything is released.
  func place(of pending: PendingOperation) -> EvidenceScopes.Place? {
    if pending.place == nil {
      pending.place = host.located(pending.caller).map(EvidenceScopes.Place.init)
    }
    return pending.place
  }

  /// The access control that guards the operation: re-arming takes the passcode branch of an
  /// item, so that a finger added yesterday can never re-arm.
  private func judged(_ control: AccessControl, _ operation: Operation) -> AccessControl {
    guard case .rearm = operation else { return control }
    var flags: AccessControlFlags = .devicePasscode
    if control.needsApplicationPassword { flags.insert(.applicationPassword) }
    // A single flag is always valid.
    return (try? AccessControl(accessibility: control.accessibility, flags: flags)) ?? control
  }

  /// Check again: what was frozen must still be so at the moment of release.
  private func checkAgain(_ pending: PendingOperation) throws(EngineError) {
    let caller = pending.caller
    guard host.isUnchanged(caller),
      pending.place == nil || pending.place == host.located(caller).map(EvidenceScopes.Place.init)
    else {
      throw .failure(Failure(.changedMeanwhile, detail: Array("the asking program".utf8)))
    }
    for item in pending.frozen {
      guard let now = try stored(item.encodedIdentity, pending.owner),
        item.isStill(now)
      else {
        throw .failure(Failure(.changedMeanwhile, detail: item.identity.displayName))
      }
    }
  }

  func look(_ owner: Owner) throws(EngineError) -> Generations.Standing {
    do {
      let standing = try generations.look(owner, date: host.date)
      if standing.differs { scopes.end(user: owner.user) }
      if let change = standing.ended { onEnd?(owner, change) }
      return standing
    } catch { throw .vault(error) }
  }

  /// What satisfies both: every pairing of their sets.
  private static func both(_ left: [[Factor]], _ right: [[Factor]]) -> [[Factor]] {
    var sets: [[Factor]] = []
    for first in left {
      for second in right {
        let union = Factor.allCases.filter { first.contains($0) || second.contains($0) }
        if !sets.contains(union) { sets.append(union) }
      }
    }
    return sets
  }

  private func failure(
    _ refusal: Refusal, _ item: PendingOperation.FrozenItem, _ standing: Generations.Standing?
  ) -> Failure {
    switch refusal {
    case .locked, .notUnlockedSinceBoot: Failure(.locked, detail: item.identity.displayName)
    case .passcodeNotSet: Failure(.passcodeNotSet)
    case .biometryUnavailable(let obstacle): Failure(obstacle)
    case .invalidated:
      // What cannot be seen has not changed: the item may open again when it can.
      Failure(
        standing?.isHidden == true ? .unavailable : .invalidated,
        detail: item.identity.displayName)
    }
  }
}

extension PendingOperation.FrozenItem {
  /// Whether the row is what it was when it was frozen. That its form was placed meanwhile makes no
  /// other item of it.
  func isStill(_ now: StoredItem) -> Bool {
    if now.sealed == row.sealed { return true }
    guard let outside = kept.outside else { return false }
    return (try? KeptItem(now.sealed))?.outside == outside
  }
}

extension AccessControl {
  /// Whether presence that was shown to the desktop's agent opens it.
  var isMetByPresence: Bool { constraint == .userPresence && !needsApplicationPassword }
}

extension FailureCode {
  /// What a caller hears when a finger is the only way and cannot be asked for.
  public init(_ obstacle: BiometryObstacle) {
    self =
      switch obstacle {
      case .noReader: .noReader
      case .notEnrolled: .notEnrolled
      case .lockout: .lockout
      case .passcodeFirst: .passcodeFirst
      case .busy, .suspended: .busy
      case .noService, .notInstalled: .unavailable
      case .remote, .notAtSeat: .notAtReader
      }
  }
}

extension Failure {
  /// With the part of the host that is the obstacle, where the code does not say it.
  init(_ obstacle: BiometryObstacle) {
    let detail =
      switch obstacle {
      case .busy: "the fingerprint reader"
      case .suspended: "the host is about to suspend"
      case .noService: "fprintd"
      case .notInstalled: "the PAM service whorl-biometry"
      case .noReader, .notEnrolled, .lockout, .passcodeFirst, .remote, .notAtSeat: ""
      }
    self.init(FailureCode(obstacle), detail: Array(detail.utf8))
  }
}

extension ItemIdentity {
  /// How people name the item: the service and the account, or whichever there is.
  public var displayName: [UInt8] {
    // By their places in ``ItemClass/primaryAttributes``: every read is recorded by name.
    let (account, service): ([UInt8], [UInt8]) =
      switch itemClass {
      case .genericPassword: (primary[0], primary[1])
      case .internetPassword: (primary[0], primary[2])
      case .key: (primary[1], [])
      }
    if service.isEmpty { return account }
    return account.isEmpty ? service : service + Array("/".utf8) + account
  }
}
