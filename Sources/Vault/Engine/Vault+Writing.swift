import AccessControl
import Crypto
import SecretMemory
import Wire

extension Vault {
  func beginAdd(
    _ item: NewItem, _ replacing: Bool, _ request: Request, _ caller: PendingOperation.Caller,
    _ secrets: [SecretBytes]
  ) throws(EngineError) -> Step {
    let needsPassword = item.accessControl.needsApplicationPassword
    guard secrets.count == (needsPassword ? 2 : 1) else {
      throw .failure(Failure(.protocolViolation))
    }
    let pending = PendingOperation(request: request, caller: caller, secrets: secrets)
    guard needsPassword else { return try add(item, replacing, pending) }
    let salt = Random.bytes(16)
    // The placeholder holds the salt until its key is there.
    pending.derived[salt] = secrets[0]
    return .derive(salts: [salt], pending)
  }

  /// Stores a new item. Never prompts, also when it replaces: a delete and an add could do the
  /// same, but a failure here keeps the old item.
  func add(
    _ item: NewItem, _ replacing: Bool, _ pending: PendingOperation
  ) throws(EngineError) -> Step {
    let owner = pending.owner
    let control = item.accessControl
    let facts = host.facts(for: pending.caller.subject)
    try requireStorable(item.identity, item.attributes, control, facts)
    let store = try store(of: owner)
    let identity = item.identity.encoded
    let old = try stored(identity, owner)
    guard old == nil || replacing else {
      throw .failure(Failure(.duplicate, detail: item.identity.displayName))
    }
    let bound = try bind(control, owner)
    let derived = pending.derived.first
    // An old row that cannot be read any more is replaced all the same.
    let before = old.flatMap { try? KeptItem($0.sealed) }
    let version = before?.header.version ?? 0
    let secret = pending.secrets[pending.secrets.count - 1]
    let header = SealedItem.Header(
      version: version + 1, created: host.date, modified: host.date, accessControl: control,
      attributes: item.attributes, generation: bound?.id, salt: derived?.key,
      secretCount: UInt32(secret.count))
    let sealed = try seal(
      secret, header, identity, owner, bound: bound, derived: derived?.value)
    let kept = kept(
      sealed, in: item.store ?? before?.store ?? .own, replacing: before)
    do {
      if let old {
        try store.replace(row: old.row, identity: identity, sealed: kept.encoded)
      } else {
        try store.insert(identity, sealed: kept.encoded)
      }
    } catch { throw .vault(.storage(error)) }
    return .done(
      noting(Outcome(writing: item.identity, kept, replacing: before), of: owner))
  }

  /// Writes the changed item as its next version. The old policy was satisfied to get here.
  func update(
    _ changes: Changes, _ pending: PendingOperation, _ live: Generation?, _ factors: [Factor]
  ) throws(EngineError) -> Step {
    let item = pending.frozen[0]
    let owner = pending.owner
    let identity = changes.identity ?? item.identity
    try requireUpdatable(changes, pending)
    var header = changed(item.header, changes)
    let bound = try rebind(header.accessControl, item, live, factors, owner)
    header.generation =
      header.accessControl.constraint.bindsEnrollment
      ? bound?.id ?? header.generation : nil
    header.version += 1
    header.modified = host.date
    let secret =
      changes.replacesSecret ? pending.secrets[0] : try open(item, pending, live)
    header.secretCount = UInt32(secret.count)
    return try write(header, identity, secret, changes.store, bound, pending, factors)
  }

  /// Binds an item to the prints as they are, by its passcode branch.
  func rearm(
    _ pending: PendingOperation, _ live: Generation?, _ factors: [Factor]
  ) throws(EngineError) -> Step {
    let item = pending.frozen[0]
    let secret = try open(item, pending, live)
    let bound = try bind(item.header.accessControl, pending.owner)
    var header = item.header
    header.generation = bound?.id
    header.version += 1
    header.modified = host.date
    return try write(header, item.identity, secret, nil, bound, pending, factors)
  }

  func delete(
    _ item: ItemIdentity, _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    let store = try store(of: owner)
    let old = try stored(item.encoded, owner).flatMap { try? KeptItem($0.sealed) }
    let found: Bool
    do { found = try store.delete(item.encoded) } catch { throw .vault(.storage(error)) }
    guard found else { throw .failure(Failure(.notFound, detail: item.displayName)) }
    var outcome = Outcome(.done)
    outcome.surplus = old?.outside.map { [$0.id] } ?? []
    return .done(noting(outcome, of: owner))
  }

  private func write(
    _ header: SealedItem.Header, _ identity: ItemIdentity, _ secret: SecretBytes,
    _ store: StoreKind?, _ bound: Generation?, _ pending: PendingOperation, _ factors: [Factor]
  ) throws(EngineError) -> Step {
    let encoded = identity.encoded
    let derived = header.salt.flatMap { pending.derived[$0] }
    let sealed = try seal(
      secret, header, encoded, pending.owner, bound: bound, derived: derived)
    let old = pending.frozen[0]
    let kept = kept(sealed, in: store ?? old.kept.store, replacing: old.kept)
    let rows = try self.store(of: pending.owner)
    do {
      try rows.replace(row: old.row.row, identity: encoded, sealed: kept.encoded)
    } catch { throw .vault(.storage(error)) }
    return .done(
      noting(
        Outcome(writing: identity, kept, replacing: old.kept, factors: factors),
        of: pending.owner))
  }

  func bind(
    _ control: AccessControl, _ owner: Owner
  ) throws(EngineError) -> Generation? {
    guard control.constraint.bindsEnrollment else { return nil }
    do { return try makeBinding(owner) } catch { throw .failure(error.failure) }
  }

  /// The live generation, made if there is none. A new one ends what evidence was kept.
  private func makeBinding(_ owner: Owner) throws(BindingError) -> Generation {
    let standing: Generations.Standing
    do { standing = try look(owner) } catch { throw .vault(error.vaultError) }
    let generation = try generations.bind(owner, standing, date: host.date)
    if standing.live == nil { scopes.end(user: owner.user) }
    return generation
  }

  /// The generation an updated item is bound to: the live one it already has, or a new one when
  /// the passcode opened it or the policy was not bound before. Evidence of a finger never
  /// re-arms a dead binding.
  private func rebind(
    _ control: AccessControl, _ item: PendingOperation.FrozenItem, _ live: Generation?,
    _ factors: [Factor], _ owner: Owner
  ) throws(EngineError) -> Generation? {
    guard control.constraint.bindsEnrollment else { return nil }
    let old = item.header
    if let live, live.id == old.generation { return live }
    let wasBound = old.accessControl.constraint.bindsEnrollment
    if wasBound, !factors.contains(.devicePasscode) { return nil }
    do { return try makeBinding(owner) } catch {
      if case .vault = error { throw .failure(error.failure) }
      // Nothing to bind to: the item stays dead in this branch, if it has another.
      if wasBound, control.constraint.hasUnboundBranch { return nil }
      throw .failure(error.failure)
    }
  }
}
