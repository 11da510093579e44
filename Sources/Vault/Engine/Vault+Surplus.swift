import Wire

/// Forms in the store outside that belong to nothing any more. Nothing opens them, but a keyring that
/// is locked or gone keeps them: their ids are written down, and told with later requests that use the
/// store, until a client says that they are dropped.
///
/// An id is written down after its row is gone, and no later item gets it again: what is told can be
/// dropped, whenever that is.
extension Vault {
  /// The name of the note that holds them; no generation's, which are three bytes longer, is the same.
  private static let noteName = Array("surplus forms".utf8)
  /// Ids that are written down at most. What the oldest ones name stays where it is.
  private static let surplusLimit = 256

  /// The ids to be told now, those first that were not told before.
  ///
  /// - Parameter isRead: whether they come with nothing but a read of what is in the store already:
  ///   an id that is not dropped then comes with no other such read.
  func surplus(of owner: Owner, isRead: Bool = false) -> [[UInt8]] {
    guard let noted = try? notedSurplus(owner) else { return [] }
    var turns = surplusTurns[owner] ?? SurplusTurns()
    let ids = turns.next(of: noted, isRead: isRead)
    surplusTurns[owner] = turns.isEmpty ? nil : turns
    return ids
  }

  /// Writes down what a request left behind, and tells it with what is left from before. The request
  /// is done all the same where it cannot be written.
  func noting(_ outcome: Outcome, of owner: Owner) -> Outcome {
    var outcome = outcome
    if outcome.surplus.isEmpty {
      if !outcome.unplaced.isEmpty { outcome.surplus = surplus(of: owner) }
      return outcome
    }
    note(surplus: outcome.surplus, of: owner)
    let older = surplus(of: owner).filter { !outcome.surplus.contains($0) }
    outcome.surplus = Array((outcome.surplus + older).prefix(Limits.items))
    return outcome
  }

  func note(surplus ids: [[UInt8]], of owner: Owner) {
    guard !ids.isEmpty, let noted = try? notedSurplus(owner) else { return }
    try? setNotedSurplus((noted + ids).suffix(Self.surplusLimit), owner)
  }

  /// The client has dropped what these name, or found nothing.
  func discarded(
    _ ids: [[UInt8]], _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    let owner = Owner(user: caller.subject.user, name: caller.subject.name)
    let noted = try notedSurplus(owner)
    let left = noted.filter { !ids.contains($0) }
    if left.count < noted.count { try setNotedSurplus(left[...], owner) }
    return .done(Outcome(.done))
  }

  private func notedSurplus(_ owner: Owner) throws(EngineError) -> [[UInt8]] {
    let note: [UInt8]?
    let store = try store(of: owner)
    do { note = try store.generationNote(Self.noteName) } catch { throw .vault(.storage(error)) }
    let bytes = note ?? []
    return stride(
      from: 0, to: bytes.count - bytes.count % SealedForm.idCount, by: SealedForm.idCount
    )
    .map { Array(bytes[$0..<$0 + SealedForm.idCount]) }
  }

  private func setNotedSurplus(
    _ ids: ArraySlice<[UInt8]>, _ owner: Owner
  ) throws(EngineError) {
    let store = try store(of: owner)
    do { try store.setGenerationNote(Self.noteName, Array(ids.joined())) } catch {
      throw .vault(.storage(error))
    }
  }
}
