import AccessControl
import Crypto
import SecretMemory
import Wire

/// The generations of all owners: made when an item is bound, ended when the prints differ.
///
/// An owner's file has two slots. To change anything, the unused slot of *every* owner is written
/// under a new shred key and synced, then the key source's one slot rotates. Before the rotation
/// the old slots are valid, after it the new ones are, and nothing can open the old ones again: an
/// interruption at any point leaves one whole state.
///
/// An end that cannot be written so is made by taking the owner's slots away, which needs no space:
/// a restart must not find the generation again where the prints are put back meanwhile.
final class Generations {
  /// How an owner's prints stand to the generation.
  struct Standing {
    /// The live generation whose digest was just found equal.
    let live: Generation?
    let prints: EnrolledPrints
    let state: EnrollmentState
    /// What ended a generation in this look.
    var ended: EnrollmentChange?
    /// Whether the prints differ from those of the last generation, also when its end could not
    /// be written yet.
    var differs = false
    /// Why an end that is due cannot be written.
    var obstacle: VaultError?
    /// Whether the prints could not be seen, which changes nothing.
    var isHidden: Bool { if case .unavailable = state { true } else { false } }
  }

  private struct Entry {
    /// The slot that opens under the shred key; the other one is free.
    var slot: Int
    var generation: Generation?
    /// The prints differ but that could not be written yet: the generation serves nothing.
    var mustEnd = false
    /// The slots were taken away, so that the end outlives this process.
    var isDropped = false
  }

  private let storage: any VaultStorage
  private let keys: any KeySource
  private let enrollment: any EnrollmentSource
  private var entries: [Owner: Entry] = [:]

  init(storage: any VaultStorage, keys: any KeySource, enrollment: any EnrollmentSource) {
    self.storage = storage
    self.keys = keys
    self.enrollment = enrollment
  }

  /// Looks at the prints; another digest ends the generation before anything else can use it.
  /// While the prints cannot be seen no generation is live, and none ends: a full table of open
  /// files is no reason to lose what is bound.
  ///
  /// When the end cannot be written, the generation is not live all the same, and every later
  /// look tries again.
  func look(_ owner: Owner, date: UInt64) throws(VaultError) -> Standing {
    let contentKey = try Sealing.derive(keys.hostKey, "whorl print content", owner.encoded)
    let digestKey = try Sealing.derive(keys.hostKey, "whorl enrollment", owner.encoded)
    let prints = enrollment.entries(of: owner, contentKey: contentKey)
    let state = EnrollmentDigest.state(prints, key: digestKey)
    var entry = try entry(owner)
    var standing = Standing(live: nil, prints: prints, state: state)
    guard let generation = entry.generation else { return standing }
    if !entry.mustEnd {
      if standing.isHidden { return standing }
      if state == .enrolled(digest: generation.digest) {
        return Standing(live: generation, prints: prints, state: state)
      }
    }
    standing.differs = true
    entry.mustEnd = true
    entries[owner] = entry
    let isTold = entry.isDropped
    let note = note(generation.id, of: owner)
    let change = note.change ?? note.change(to: prints, date: date)
    do { try rotate(owner, to: nil) } catch {
      standing.obstacle = error
      guard (try? storage.dropGeneration(of: owner, slot: entry.slot)) != nil else {
        return standing
      }
      entry.isDropped = true
      entries[owner] = entry
    }
    guard !isTold else { return standing }
    // The note only explains; the end stands without it.
    let ended = GenerationNote(entries: [], change: change)
    try? storage.items(of: owner).setGenerationNote(generation.id.bytes, ended.encoded)
    standing.ended = change
    return standing
  }

  /// The live generation for binding an item, made if there is none.
  ///
  /// - Parameter standing: what a look just found.
  /// - Throws: a failure that says why nothing can be bound.
  func bind(
    _ owner: Owner, _ standing: Standing, date: UInt64
  ) throws(BindingError) -> Generation {
    if let live = standing.live { return live }
    if let obstacle = standing.obstacle { throw .vault(obstacle) }
    let digest = try Self.digest(standing)
    do throws(VaultError) {
      guard let id = GenerationID(Random.bytes(GenerationID.count)) else {
        throw VaultError.storage(.failed)
      }
      let generation = Generation(
        id: id, key: try Sealing.randomKey(), digest: digest, created: date)
      if case .entries(let entries) = standing.prints {
        let note = GenerationNote(entries: entries)
        try? storage.items(of: owner).setGenerationNote(id.bytes, note.encoded)
      }
      try rotate(owner, to: generation)
      return generation
    } catch { throw .vault(error) }
  }

  /// What a new generation is bound to.
  ///
  /// - Throws: why there is nothing.
  static func digest(_ standing: Standing) throws(BindingError) -> [UInt8] {
    switch standing.state {
    case .empty: throw .notEnrolled
    case .unavailable: throw .unavailable
    case .irregular(let path): throw .irregular(path)
    case .enrolled(let digest): return digest
    }
  }

  /// What is known about the end of a generation that is not live.
  func change(_ id: GenerationID, of owner: Owner) -> EnrollmentChange {
    let change = note(id, of: owner).change ?? EnrollmentChange(.unknown)
    // To enroll a finger again, fprintd first deletes its print, and that was what was seen.
    guard change.kind == .deleted || change.kind == .allDeleted,
      let key = try? Sealing.derive(keys.hostKey, "whorl print content", owner.encoded),
      case .entries(let entries) = enrollment.entries(of: owner, contentKey: key),
      let entry = entries.first(where: { $0.path == change.path }),
      // An older file was put back, not made.
      entry.modified / 1_000_000_000 >= change.time
    else { return change }
    return EnrollmentChange(
      .reenrolled, path: entry.path, time: entry.modified / 1_000_000_000)
  }

  private func note(_ id: GenerationID, of owner: Owner) -> GenerationNote {
    let bytes = try? storage.items(of: owner).generationNote(id.bytes)
    guard let bytes, let note = try? GenerationNote(bytes) else {
      return GenerationNote(entries: [])
    }
    return note
  }

  private func entry(_ owner: Owner) throws(VaultError) -> Entry {
    if let entry = entries[owner] { return entry }
    var entry = Entry(slot: 1)
    let slots: [[UInt8]]
    do { slots = try storage.generationSlots(of: owner) } catch { throw .storage(error) }
    for (index, slot) in slots.enumerated() {
      let plain: SecretBytes
      do throws(VaultError) {
        plain = try Sealing.open(slot, keys.shredKey, Self.associatedData(owner))
      } catch {
        // Written under a shred key that is gone: no error, an end. Want of memory is none.
        guard error == .forged else { throw error }
        continue
      }
      entry.slot = index
      entry.generation = try GenerationSlot.generation(plain)
    }
    entries[owner] = entry
    return entry
  }

  /// Ends the owner's generation, since all that is the owner's is about to go.
  func forget(_ owner: Owner) throws(VaultError) {
    if try entry(owner).generation != nil { try rotate(owner, to: nil) }
    entries[owner] = nil
  }

  private func rotate(_ owner: Owner, to generation: Generation?) throws(VaultError) {
    let key = try Sealing.randomKey()
    var owners: [Owner]
    do { owners = try storage.generationOwners() } catch { throw .storage(error) }
    if !owners.contains(owner) { owners.append(owner) }
    var next: [Owner: Entry] = [:]
    for other in owners {
      let entry = try entry(other)
      let content = other == owner ? generation : entry.mustEnd ? nil : entry.generation
      let sealed = try Sealing.seal(
        try GenerationSlot.plaintext(content), key, Self.associatedData(other))
      do { try storage.setGenerationSlot(of: other, 1 - entry.slot, sealed) } catch {
        throw .storage(error)
      }
      next[other] = Entry(slot: 1 - entry.slot, generation: content)
    }
    do { try keys.rotateShredKey(to: key) } catch { throw .storage(error) }
    entries.merge(next) { _, new in new }
  }

  private static func associatedData(_ owner: Owner) -> [UInt8] {
    var encoder = Encoder()
    encoder.text("whorl generation")
    encoder.string(owner.encoded)
    return encoder.bytes
  }
}

/// Why an item cannot be bound to the prints.
enum BindingError: Error {
  case notEnrolled
  case unavailable
  case irregular([UInt8])
  case vault(VaultError)

  var failure: Failure {
    switch self {
    case .notEnrolled: Failure(.notEnrolled)
    case .unavailable:
      Failure(.unavailable, detail: Array("the enrolled prints cannot be seen".utf8))
    case .irregular(let path): Failure(.invalidated, detail: path)
    case .vault(let error): error.failure
    }
  }
}
