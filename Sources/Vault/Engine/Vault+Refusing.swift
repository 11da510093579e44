import AccessControl
import Wire

/// What is refused before anybody is asked, because it would fail after the person acted.
extension Vault {
  /// All secrets are opened at once, in locked memory.
  func requireReleasable(_ pending: PendingOperation) throws(EngineError) {
    let forms = missingForms(pending).reduce(0) { $0 + Int($1.count) }
    let bytes = max(forms, pending.frozen.reduce(0) { $0 + Int($1.header.secretCount) })
    guard bytes <= Limits.secretsPerUser else {
      let text = "\(bytes) bytes together, of \(Limits.secretsPerUser) at most"
      throw .failure(Failure(.badParameter, detail: Array(text.utf8)))
    }
  }

  func requireUpdatable(_ changes: Changes, _ pending: PendingOperation) throws(EngineError) {
    let item = pending.frozen[0]
    let old = item.header
    let new = changed(old, changes)
    let identity = changes.identity ?? item.identity
    guard identity.itemClass == item.identity.itemClass else {
      throw .failure(Failure(.badParameter))
    }
    guard new.accessControl.needsApplicationPassword == (old.salt != nil) else {
      throw .failure(
        Failure(.badParameter, detail: Array("an application password is set by add".utf8)))
    }
    // Else it could be read after the next update.
    guard new.accessControl.guardsPrivateKeyUsage || !old.accessControl.guardsPrivateKeyUsage else {
      throw .failure(Failure(.notPermitted, detail: Array("privateKeyUsage stays".utf8)))
    }
    try requireStorable(
      identity, new.attributes, new.accessControl, host.facts(for: pending.caller.subject))
    if identity != item.identity, try stored(identity.encoded, pending.owner) != nil {
      throw .failure(Failure(.duplicate, detail: identity.displayName))
    }
    if new.accessControl.constraint.bindsEnrollment, !old.accessControl.constraint.bindsEnrollment {
      try requireBindable(pending.owner)
    }
    let secretCount =
      changes.replacesSecret ? pending.secrets[0].count : Int(old.secretCount)
    let size =
      identity.encoded.count + item.kept.sealedCount(in: item.row) + new.attributes.encoded.count
      - old.attributes.encoded.count + secretCount - Int(old.secretCount)
      + ((changes.store ?? item.kept.store) == .own ? 0 : KeptItem.overhead)
    let store = try store(of: pending.owner)
    do throws(StorageError) {
      guard try store.hasRoom(for: size, replacing: item.row.row) else {
        throw StorageError.quota
      }
    } catch { throw .vault(.storage(error)) }
  }

  /// The header with what an update changes, as far as no person is needed to know it.
  func changed(_ header: SealedItem.Header, _ changes: Changes) -> SealedItem.Header {
    var header = header
    if let control = changes.accessControl { header.accessControl = control }
    if let attributes = changes.attributes { header.attributes = attributes }
    return header
  }

  /// Refuses before anybody is asked what re-arming cannot do.
  func requireRearmable(_ pending: PendingOperation) throws(EngineError) {
    let header = pending.frozen[0].header
    let constraint = header.accessControl.constraint
    guard constraint.bindsEnrollment else {
      throw .failure(
        Failure(.badParameter, detail: Array("the item is not bound to fingerprints".utf8)))
    }
    guard constraint.hasUnboundBranch else {
      guard try look(pending.owner).live?.id == header.generation else {
        throw .failure(Failure(.invalidated, detail: pending.frozen[0].identity.displayName))
      }
      throw .failure(
        Failure(.badParameter, detail: Array("the item opens by no password alone".utf8)))
    }
    try requireBindable(pending.owner)
  }

  /// What must hold of an item that is written, whoever writes it.
  func requireStorable(
    _ identity: ItemIdentity, _ attributes: Attributes, _ control: AccessControl, _ facts: Facts
  ) throws(EngineError) {
    if control.accessibility == .whenPasscodeSetThisDeviceOnly, !facts.hasPasscode {
      throw .failure(Failure(.passcodeNotSet))
    }
    // What does not fit in one answer could be neither shown nor listed.
    guard identity.encoded.count + attributes.encoded.count <= Self.describedLimit else {
      throw .failure(Failure(.badParameter, detail: Array("the attributes are too long".utf8)))
    }
  }

  private func requireBindable(_ owner: Owner) throws(EngineError) {
    let standing = try look(owner)
    guard standing.live == nil else { return }
    do { _ = try Generations.digest(standing) } catch { throw .failure(error.failure) }
  }
}
