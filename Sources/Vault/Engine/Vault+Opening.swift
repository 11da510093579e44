import AccessControl
import Crypto
import SecretMemory
import Wire

extension Vault {
  /// Accepts that an authenticator verified a factor just now.
  func accept(_ factor: Factor, _ pending: PendingOperation) throws(EngineError) {
    guard factor != .applicationPassword else { throw .failure(Failure(.protocolViolation)) }
    // The generation is looked up after the verify: a finger enrolled meanwhile belongs to
    // another one, and proves nothing about items of this one.
    let generation = try look(pending.owner).live?.id
    let evidence = Evidence(
      user: pending.caller.subject.user, factor: factor, time: host.uptime,
      generation: factor == .biometry ? generation : nil)
    pending.evidence.append(evidence)
    // A desktop's dialog does not say that it would serve again, so it does not.
    guard factor != .presence else { return }
    scopes.keep(
      evidence, for: pending.request, by: pending.caller, reuse: pending.promptedReuse,
      at: place(of: pending))
  }

  /// Accepts stretched application passwords: right is what opens the items' wraps.
  func accept(
    _ keys: [SecretBytes], _ pending: PendingOperation
  ) throws(EngineError) -> Step {
    if case .add(let item, let replacing) = pending.request.operation {
      guard keys.count == 1, let salt = pending.derived.keys.first else {
        throw .failure(Failure(.internalError))
      }
      pending.derived[salt] = keys[0]
      return try add(item, replacing, pending)
    }
    let salts = pending.frozen.compactMap(\.header.salt)
    guard keys.count == salts.count else { throw .failure(Failure(.internalError)) }
    pending.derived = Dictionary(zip(salts, keys)) { first, _ in first }
    let live = try look(pending.owner).live
    for item in pending.frozen where item.header.salt != nil {
      do throws(VaultError) {
        let data = item.header.associatedData(pending.owner, item.encodedIdentity)
        _ = try itemKey(item, data, pending, live)
      } catch .forged {
        pending.derived = [:]
        pending.wrongApplicationPasswords += 1
        guard pending.wrongApplicationPasswords < Self.applicationPasswordTries else {
          throw .failure(Failure(.authenticationFailed))
        }
        return try advanceAny(pending)
      } catch { throw .vault(error) }
    }
    pending.evidence.append(
      Evidence(
        user: pending.caller.subject.user, factor: .applicationPassword, time: host.uptime))
    return try advanceAny(pending)
  }

  func advanceAny(_ pending: PendingOperation) throws(EngineError) -> Step {
    switch pending.request.operation {
    case .evaluate, .canEvaluate: try evaluate(pending)
    case .login: try login(pending)
    case .loginKeyring: try enableLoginKeyring(pending)
    case .add, .read, .update, .delete, .rearm, .show, .list, .status, .log, .lock, .domainState,
      .makeKey, .sign, .agree, .administer, .form, .placed, .discarded:
      try advance(pending)
    }
  }

  /// The judgement is open: does the operation.
  func finish(
    _ pending: PendingOperation, _ live: Generation?, _ factors: [Factor]
  ) throws(EngineError) -> Step {
    switch pending.request.operation {
    case .read:
      var secrets: [SecretBytes] = []
      for item in pending.frozen {
        secrets.append(try open(item, pending, live))
      }
      var outcome = Outcome(
        .secrets(count: UInt32(secrets.count)), secrets: secrets, factors: factors)
      // What could not be placed when it was written is tried again.
      outcome.unplaced = pending.frozen.filter { !$0.kept.isPlaced }.map(\.identity)
      if pending.frozen.contains(where: { $0.kept.outside != nil }) {
        outcome.surplus = surplus(of: pending.owner, isRead: outcome.unplaced.isEmpty)
      }
      return .done(outcome)
    case .update(_, let changes):
      return try update(changes, pending, live, factors)
    case .rearm:
      return try rearm(pending, live, factors)
    case .sign, .agree: return try use(pending, live, factors)
    case .add, .delete, .show, .list, .status, .log, .lock, .evaluate, .canEvaluate,
      .domainState, .makeKey, .login, .loginKeyring, .administer, .form, .placed, .discarded:
      throw .failure(Failure(.internalError))
    }
  }

  /// The secret of an item whose judgement is open.
  func open(
    _ item: PendingOperation.FrozenItem, _ pending: PendingOperation, _ live: Generation?
  ) throws(EngineError) -> SecretBytes {
    do throws(VaultError) {
      let data = item.header.associatedData(pending.owner, item.encodedIdentity)
      let key = try itemKey(item, data, pending, live)
      guard let sealed = item.sealed else { throw VaultError.forged }
      return try Sealing.open(
        sealed.box, key, SealedItem.associatedData(data, ofSecretUnder: sealed.wraps))
    } catch { throw .vault(error) }
  }

  /// The item's random key, from the wrap that can be opened: the bound one while its generation
  /// lives, else the other.
  ///
  /// - Parameter data: the header's associated data.
  private func itemKey(
    _ item: PendingOperation.FrozenItem, _ data: [UInt8], _ pending: PendingOperation,
    _ live: Generation?
  ) throws(VaultError) -> SecretBytes {
    let header = item.header
    let keys: ItemKeys
    do { keys = try self.keys(of: pending.owner) } catch { throw error.vaultError }
    let kind: SealedItem.Wrap.Kind
    var key: SecretBytes
    if let live, live.id == header.generation, item.sealed?.wrap(.bound) != nil {
      kind = .bound
      key = try keys.boundKey(header.accessControl.accessibility, live)
    } else {
      kind = .unbound
      key = try keys.unboundKey(header.accessControl.accessibility)
    }
    guard let box = item.sealed?.wrap(kind) else { throw .forged }
    if let salt = header.salt {
      guard let derived = pending.derived[salt] else { throw .forged }
      key = try Sealing.combine(key, "whorl application password", derived)
    }
    return try Sealing.open(box, key, SealedItem.associatedData(data, of: kind))
  }

  /// Seals a secret as a new version of an item.
  ///
  /// - Parameter bound: the generation to bind to; nil leaves the header's generation, dead.
  func seal(
    _ secret: SecretBytes, _ header: SealedItem.Header, _ identity: [UInt8], _ owner: Owner,
    bound: Generation?, derived: SecretBytes?
  ) throws(EngineError) -> SealedItem {
    let keys = try keys(of: owner)
    do throws(VaultError) {
      let data = header.associatedData(owner, identity)
      let itemKey = try Sealing.randomKey()
      var wraps: [SealedItem.Wrap] = []
      func add(_ kind: SealedItem.Wrap.Kind, _ key: SecretBytes) throws(VaultError) {
        let key =
          if let derived {
            try Sealing.combine(key, "whorl application password", derived)
          } else { key }
        wraps.append(
          SealedItem.Wrap(
            kind: kind,
            box: try Sealing.seal(itemKey, key, SealedItem.associatedData(data, of: kind))))
      }
      let control = header.accessControl
      if control.constraint.hasUnboundBranch {
        try add(.unbound, try keys.unboundKey(control.accessibility))
      }
      if let bound, control.constraint.bindsEnrollment {
        try add(.bound, try keys.boundKey(control.accessibility, bound))
      }
      let box = try Sealing.seal(
        secret, itemKey, SealedItem.associatedData(data, ofSecretUnder: wraps))
      return SealedItem(header: header, wraps: wraps, box: box)
    } catch { throw .vault(error) }
  }
}

extension EngineError {
  var vaultError: VaultError {
    switch self {
    case .vault(let error): error
    case .failure: .storage(.failed)
    }
  }
}
