import AccessControl
import Crypto
import SecretMemory
import Wire

/// Items whose sealed form is in a store outside, which only the client reaches.
///
/// The row here moves first. Until the client has said that the new form is placed, the row holds
/// the form and the item opens from there, so that a crash anywhere leaves an item that opens; from
/// then on only the form with the digest in the row does.
extension Vault {
  /// What must be brought before the operation can open anything.
  func missingForms(_ pending: PendingOperation) -> [SealedForm] {
    let opens =
      switch pending.request.operation {
      case .read, .rearm, .sign, .agree: true
      // An application password is right when it opens what was sealed.
      case .update(_, let changes):
        !changes.replacesSecret || pending.frozen[0].header.salt != nil
      case .add, .delete, .show, .list, .status, .log, .lock, .evaluate, .canEvaluate,
        .domainState, .makeKey, .login, .loginKeyring, .administer, .form, .placed, .discarded:
        false
      }
    guard opens, pending.frozen.contains(where: { $0.sealed == nil }) else { return [] }
    var seen: Set<SealedForm> = []
    return pending.frozen.filter { $0.sealed == nil }.compactMap(\.kept.outside).filter {
      seen.insert($0).inserted
    }
  }

  /// Accepts the forms that were asked for: only the current one of each item counts.
  func accept(forms: [[UInt8]], _ pending: PendingOperation) throws(EngineError) {
    let wanted = missingForms(pending)
    guard forms.count == wanted.count else { throw .failure(Failure(.internalError)) }
    guard try isStillCurrent(pending) else { return try freezeAnew(pending) }
    for (form, name) in zip(forms, wanted) {
      let items = pending.frozen.filter { $0.kept.outside == name }
      guard KeptItem.digest(form) == name.digest, let sealed = try? SealedItem(form),
        sealed.header == items[0].header
      else {
        throw .failure(Failure(.notCurrent, detail: items[0].identity.displayName))
      }
      for item in items { item.sealed = sealed }
    }
  }

  private func isStillCurrent(_ pending: PendingOperation) throws(EngineError) -> Bool {
    for item in pending.frozen {
      guard let now = try stored(item.encodedIdentity, pending.owner), item.isStill(now) else {
        return false
      }
    }
    return true
  }

  /// Somebody wrote an item while its form was fetched. Nobody was asked yet, so a read goes on with
  /// what is there now, as it would without a store outside.
  private func freezeAnew(_ pending: PendingOperation) throws(EngineError) {
    guard case .read = pending.request.operation, pending.refreezes < Self.refreezeLimit else {
      throw .failure(
        Failure(.changedMeanwhile, detail: pending.frozen.first?.identity.displayName ?? []))
    }
    var fresh: [PendingOperation.FrozenItem] = []
    for item in pending.frozen { fresh.append(try freeze(item.identity, pending.owner)) }
    pending.refreeze(fresh)
    try requireReadable(pending)
    try requireReleasable(pending)
  }

  /// Times that a read goes on with items that were written meanwhile.
  private static var refreezeLimit: Int { 3 }

  /// Hands out some of a form that is still to be placed.
  func form(
    _ identity: ItemIdentity, from offset: UInt32, _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    let item = try freeze(identity, Owner(user: caller.subject.user, name: caller.subject.name))
    guard let form = item.kept.outside, let sealed = item.kept.sealed, offset < form.count else {
      throw .failure(Failure(.badParameter, detail: identity.displayName))
    }
    return .done(
      Outcome(
        .form(
          FormPage(
            form: form, attributes: offset == 0 ? item.header.attributes : Attributes(),
            bytes: Array(sealed.encoded[Int(offset)...].prefix(Limits.formPart))))))
  }

  /// The client has placed a form: it is not kept here any more, if it is still the current one.
  func placed(
    _ identity: ItemIdentity, _ digest: [UInt8], _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    let item = try freeze(identity, owner)
    guard item.kept.outside?.digest == digest else {
      throw .failure(Failure(.changedMeanwhile, detail: identity.displayName))
    }
    var outcome = Outcome(.done)
    guard !item.kept.isPlaced else {
      outcome.isRecorded = false
      return .done(outcome)
    }
    let store = try store(of: owner)
    do {
      try store.replace(
        row: item.row.row, identity: item.encodedIdentity, sealed: item.kept.placed.encoded)
    } catch { throw .vault(.storage(error)) }
    return .done(outcome)
  }

  /// A new form of an item, as its row keeps it.
  ///
  /// - Parameter old: what the row has been so far, if it could be read.
  func kept(_ sealed: SealedItem, in store: StoreKind, replacing old: KeptItem?) -> KeptItem {
    switch store {
    case .own: KeptItem(sealed)
    case .secretService:
      KeptItem(sealed, outside: old?.outside?.id ?? Random.bytes(SealedForm.idCount))
    }
  }
}

extension Outcome {
  /// What the store outside is told after an item was written.
  init(
    writing identity: ItemIdentity, _ kept: KeptItem, replacing old: KeptItem?,
    factors: [Factor] = []
  ) {
    self.init(.done, factors: factors)
    if kept.outside != nil {
      unplaced = [identity]
    } else if let id = old?.outside?.id {
      surplus = [id]
    }
  }
}
