import AccessControl
import Crypto
import SecretMemory
import Wire

/// The operations that tell about items without opening any. None of them asks a person.
extension Vault {
  func show(
    _ identity: ItemIdentity, _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    let item = try freeze(identity, owner)
    var live: GenerationID?
    var binding = ItemDetail.Binding.unbound
    if let generation = item.header.generation {
      let standing = try look(owner)
      live = standing.live?.id
      binding =
        if generation == live { .live } else if standing.isHidden {
          .ended(EnrollmentChange(.unavailable, time: host.date))
        } else { .ended(generations.change(generation, of: owner)) }
    }
    return .done(
      Outcome(
        .item(
          ItemDetail(
            row: row(identity, item.row, item.kept, live), binding: binding,
            secretCount: item.header.secretCount))))
  }

  func list(_ query: Query, _ caller: PendingOperation.Caller) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    let store = try store(of: owner)
    let live = try look(owner).live?.id
    var rows: [ItemRow] = []
    var size = 0
    do {
      try store.scan(after: query.after) { stored in
        // A row that cannot be read is listed by nobody; `doctor` counts such rows.
        var decoder = Decoder(stored.identity)
        guard let identity = try? ItemIdentity(from: &decoder),
          let kept = try? KeptItem(stored.sealed),
          query.matches(identity, kept.header.attributes)
        else { return true }
        let itemSize = stored.identity.count + kept.header.attributes.encoded.count + 64
        guard size + itemSize < Limits.message else { return false }
        size += itemSize
        rows.append(row(identity, stored, kept, live))
        return rows.count < Limits.page
      }
    } catch { throw .vault(.storage(error)) }
    return .done(Outcome(.items(rows)))
  }

  /// Evaluates an access control for its own sake. A bound constraint is judged against the
  /// prints as they are now, for there is no item that was bound before.
  func evaluate(_ pending: PendingOperation) throws(EngineError) -> Step {
    let control: AccessControl
    let asks: Bool
    switch pending.request.operation {
    case .evaluate(let asked): (control, asks) = (asked, true)
    case .canEvaluate(let asked): (control, asks) = (asked, false)
    default: throw .failure(Failure(.internalError))
    }
    var facts = host.facts(for: pending.caller.subject)
    if let obstacle = pending.obstacle { facts.biometryObstacle = obstacle }
    // An application password is an item's own: without an item nothing can tell it right.
    var flags = control.flags.subtracting(.applicationPassword)
    if flags.remove(.biometryCurrentSet) != nil { flags.insert(.biometryAny) }
    guard let judged = try? AccessControl(accessibility: control.accessibility, flags: flags) else {
      throw .failure(Failure(.badParameter))
    }
    let evidence =
      pending.evidence
      + scopes.evidence(
        for: pending.request, by: pending.caller, itemLimit: AccessControl.longestReuse,
        now: host.uptime, at: place(of: pending))
    switch judged.judge(bound: nil, evidence: evidence, facts: facts) {
    case .open(let branch):
      guard host.isUnchanged(pending.caller) else {
        throw .failure(Failure(.changedMeanwhile))
      }
      return .done(Outcome(.done, factors: Self.used(branch, evidence)))
    case .needEvidence(let alternatives):
      guard !asks || pending.request.allowsInteraction else {
        throw .failure(Failure(.interactionNotAllowed))
      }
      // Without items, only the request's own wish bounds the reuse.
      pending.promptedReuse = pending.request.reuse
      return .gather(
        Gathering(
          alternatives: alternatives, items: [], reuse: pending.toldReuse,
          reusesInContext: pending.reusesInContext, acceptsPresence: judged.isMetByPresence),
        pending)
    case .refused(.locked), .refused(.notUnlockedSinceBoot): throw .failure(Failure(.locked))
    case .refused(.passcodeNotSet): throw .failure(Failure(.passcodeNotSet))
    case .refused(.invalidated): throw .failure(Failure(.invalidated))
    case .refused(.biometryUnavailable(let obstacle)):
      throw .failure(Failure(FailureCode(obstacle)))
    }
  }

  /// A digest of the enrollment state, of its own key: programs may compare it, nothing more.
  func domainState(_ caller: PendingOperation.Caller) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    switch try look(owner).state {
    case .enrolled(let digest):
      do throws(VaultError) {
        let key = try Sealing.derive(keys.hostKey, "whorl domain state", owner.encoded)
        return .done(Outcome(.domainState(KeyedHash.hash(digest, key: key))))
      } catch { throw .vault(error) }
    case .empty: return .done(Outcome(.domainState([])))
    case .irregular(let path): throw .failure(Failure(.unavailable, detail: path))
    case .unavailable: throw .failure(Failure(.unavailable))
    }
  }

  private func row(
    _ identity: ItemIdentity, _ stored: StoredItem, _ kept: KeptItem, _ live: GenerationID?
  ) -> ItemRow {
    let header = kept.header
    let constraint = header.accessControl.constraint
    let isDead =
      constraint.bindsEnrollment && (header.generation == nil || header.generation != live)
    return ItemRow(
      row: stored.row, identity: identity, attributes: header.attributes,
      accessControl: header.accessControl, created: header.created, modified: header.modified,
      isInvalidated: isDead && !constraint.hasUnboundBranch, hasDeadBranch: isDead,
      store: kept.store, isPlaced: kept.isPlaced)
  }
}

extension Query {
  /// Whether an item is one of those asked for.
  func matches(_ identity: ItemIdentity, _ attributes: Attributes) -> Bool {
    if let itemClass, identity.itemClass != itemClass { return false }
    if !groups.isEmpty, !groups.contains(identity.group) { return false }
    return matching.pairs.allSatisfy { pair in
      let primary = String(validating: pair.name, as: UTF8.self).flatMap { identity[$0] }
      return (primary ?? attributes[pair.name]) == pair.value
    }
  }
}
