import SecretMemory
import SecretService
import WhorlClient
import Wire

/// The sealed items in the user's keyring.
///
/// Each is found by attributes that no other program uses, so that none takes a sealed form for a
/// password: `whorl:id` stays as long as the item does, `whorl:form` is the digest of the form.
struct SealedItems {
  private let call: KeyringCall
  private let keyring: Keyring

  init(_ call: KeyringCall) throws(KeyringError) {
    self.call = call
    keyring = try Keyring()
  }

  func run() throws(KeyringError) -> KeyringAnswer {
    switch call.operation {
    case .prepare:
      guard try unlockedCollection() != nil else { return .problem(.noCollection) }
      return .done
    case .fetch(let forms):
      var found: [[UInt8]] = []
      for form in forms { found.append(try fetch(form)) }
      return .forms(found)
    case .place(let item):
      guard let collection = try unlockedCollection() else { return .problem(.noCollection) }
      try place(item, in: collection)
      return .done
    case .discard(let ids):
      return .dropped(try discard(ids))
    }
  }

  /// The collection that items go to, once it can take them; nil when there is none.
  private func unlockedCollection() throws(KeyringError) -> KeyringCollection? {
    let collection: KeyringCollection
    do { collection = try keyring.collection(call.collection) } catch .missing { return nil }
    if collection.isLocked {
      guard call.mayAsk else { throw .locked }
      try keyring.unlock(collection)
    }
    return collection
  }

  private func fetch(_ form: SealedForm) throws(KeyringError) -> [UInt8] {
    let wanted = [PlacedItem.attribute(form)]
    var found = try keyring.items(matching: wanted)
    // Some keyrings show nothing of what is locked.
    if found.isEmpty, try isUnlockedNow() { found = try keyring.items(matching: wanted) }
    if found.isEmpty {
      // It may have been placed in another one than new items go to.
      throw try keyring.collections().contains(where: \.isLocked) ? .locked : .missing
    }
    if let content = try content(found.filter { !$0.isLocked }, of: form) { return content }
    let locked = found.filter(\.isLocked)
    guard !locked.isEmpty else { throw .missing }
    guard call.mayAsk else { throw .locked }
    try keyring.unlock(locked)
    guard let content = try content(locked, of: form) else { throw .missing }
    return content
  }

  /// Unlocks the collection that items go to; false when there is nothing to unlock.
  private func isUnlockedNow() throws(KeyringError) -> Bool {
    let collection: KeyringCollection
    do { collection = try keyring.collection(call.collection) } catch {
      guard error == .missing else { throw error }
      return false
    }
    guard collection.isLocked else { return false }
    guard call.mayAsk else { throw .locked }
    try keyring.unlock(collection)
    return true
  }

  /// The first content that can be the form, since another item may have its attributes; else the
  /// first there is, which the asking program finds wrong.
  private func content(
    _ items: [KeyringItem], of form: SealedForm
  ) throws(KeyringError) -> [UInt8]? {
    var first: [UInt8]?
    for item in items {
      do {
        let content = try content(item)
        if content.count == Int(form.count) { return content }
        first = first ?? content
      } catch { guard error == .missing else { throw error } }
    }
    return first
  }

  private func content(_ item: KeyringItem) throws(KeyringError) -> [UInt8] {
    try keyring.secret(of: item).bytes.withBytes { span in
      (0..<span.count).map { span[$0] }
    }
  }

  private func place(
    _ item: PlacedItem, in collection: KeyringCollection
  ) throws(KeyringError) {
    // One that was placed and not acknowledged is there already.
    if try !isPlaced(item) {
      guard let secret = try? SecretBytes(copying: item.bytes.span) else { throw .exhausted }
      try keyring.store(
        label: item.keyringLabel, attributes: item.keyringAttributes, secret: secret,
        replacing: false, in: collection)
      guard try isPlaced(item) else { throw .missing }
    }
    try? discard(olderThan: item)
  }

  /// Whether the keyring gives back what it was given.
  private func isPlaced(_ item: PlacedItem) throws(KeyringError) -> Bool {
    for found in try keyring.items(matching: [PlacedItem.attribute(item.form)])
    where !found.isLocked {
      do { if try content(found) == item.bytes { return true } } catch .missing {}
    }
    return false
  }

  /// Deletes what there is of these ids, of each what can be deleted.
  ///
  /// - Returns: those of which nothing is left.
  private func discard(_ ids: [[UInt8]]) throws(KeyringError) -> [[UInt8]] {
    var (gone, unseen): ([[UInt8]], [[UInt8]]) = ([], [])
    for id in ids {
      do {
        switch try discard(id) {
        case .gone: gone.append(id)
        case .unseen: unseen.append(id)
        case .left: break
        }
      } catch {
        if error.isAboutItem { continue }
        // What is wrong with the keyring is wrong with all that follow.
        guard gone.isEmpty else { return gone }
        throw error
      }
    }
    // Some keyrings show nothing of what is locked, and items go to one collection today and went to
    // another before.
    if unseen.isEmpty { return gone }
    let mayHide = (try? keyring.collections().contains(where: \.isLocked)) ?? true
    return mayHide ? gone : gone + unseen
  }

  /// What there is of an id after it was to be deleted.
  private enum Rest { case gone, unseen, left }

  /// Deletes what there is of an id. What is locked stays, for it opens nothing.
  private func discard(_ id: [UInt8]) throws(KeyringError) -> Rest {
    let found = try keyring.items(matching: [PlacedItem.attribute(id: id)])
    for item in found where !item.isLocked {
      do { try keyring.delete(item) } catch .missing {}
    }
    if found.isEmpty { return .unseen }
    return found.contains(where: \.isLocked) ? .left : .gone
  }

  /// Deletes earlier forms of the item. A later one, of somebody who was faster, is the current one.
  private func discard(olderThan item: PlacedItem) throws(KeyringError) {
    guard let version = SealedForm.version(of: item.bytes) else { return }
    for found in try keyring.items(matching: [PlacedItem.attribute(id: item.form.id)])
    where !found.isLocked {
      do {
        guard let other = SealedForm.version(of: try content(found)), other < version else {
          continue
        }
        try keyring.delete(found)
      } catch .missing {}
    }
  }
}
