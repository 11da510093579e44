import AccessControl
import Testing
import WhorlTesting
import Wire

@testable import Vault

/// Forms in a store outside that belong to nothing any more.
@Suite struct SurplusTests {
  private let world: World

  init() throws { world = try World() }

  private func outcome(_ operation: Wire.Operation) throws -> Outcome {
    let step = world.begin(operation)
    if case .done(let outcome) = step { return outcome }
    guard case .fetch(let forms, let pending) = step,
      case .done(let outcome) = world.vault.resume(
        pending, .forms(forms.compactMap { world.outside[$0] }))
    else { throw Failure(.internalError) }
    return outcome
  }

  private func addPlaced(_ name: String) throws -> [UInt8] {
    #expect(try world.add(name, store: .secretService) == .done)
    return try world.place(name).id
  }

  @Test func `the ids are told until a client has dropped what they name`() throws {
    let (first, second) = (try addPlaced("first"), try addPlaced("second"))
    _ = try addPlaced("other")
    #expect(try world.add("inside") == .done)
    #expect(try outcome(.delete(item("first"))).surplus == [first])
    #expect(
      Set(try outcome(.update(item("second"), Changes(replacesSecret: false, store: .own))).surplus)
        == [first, second])
    world.restart()
    #expect(try outcome(.read([item("other")])).surplus == [first, second])
    // What does not use the store outside is not held up by it.
    #expect(try outcome(.read([item("inside")])).surplus.isEmpty)
    #expect(world.ask(.discarded(ids: [first, [UInt8](repeating: 0, count: 16)])) == .done)
    // What was left, though the store was open, holds up no further read, and comes with a write.
    #expect(try outcome(.read([item("other")])).surplus.isEmpty)
    #expect(
      try outcome(.update(item("other"), Changes(attributes: Attributes()))).surplus == [second])
    #expect(world.ask(.discarded(ids: [second])) == .done)
    world.restart()
    #expect(try outcome(.read([item("other")])).surplus.isEmpty)
  }

  @Test func `no id that is told is that of an item`() throws {
    let id = try addPlaced("a")
    #expect(try outcome(.delete(item("a"))).surplus == [id])
    let again = try addPlaced("a")
    #expect(again != id)
    #expect(try outcome(.read([item("a")])).surplus == [id])
    // An item that moves in and out again is another one there.
    _ = try outcome(.update(item("a"), Changes(replacesSecret: false, store: .own)))
    #expect(
      world.ask(.update(item("a"), Changes(replacesSecret: false, store: .secretService)))
        == .done)
    let last = try world.place("a").id
    world.restart()
    #expect(try outcome(.read([item("a")])).surplus == [id, again])
    #expect(![id, again].contains(last))
  }

  @Test func `of many the newest are kept, and told in turns`() throws {
    let other = try addPlaced("other")
    var ids: [[UInt8]] = []
    for _ in 0..<260 {
      ids.append(try addPlaced("a"))
      #expect(try outcome(.delete(item("a"))).surplus.first == ids.last)
    }
    var told: [[UInt8]] = []
    while case let more = try outcome(.read([item("other")])).surplus, !more.isEmpty {
      #expect(more.count <= Limits.items)
      told += more
      #expect(world.ask(.discarded(ids: more)) == .done)
    }
    #expect(told.count == 256 && Set(told) == Set(ids.suffix(256)) && !told.contains(other))
  }

  @Test func `ids that nobody can drop keep no newer one from being told`() throws {
    _ = try addPlaced("other")
    var ids: [[UInt8]] = []
    for _ in 0..<150 {
      ids.append(try addPlaced("a"))
      _ = try outcome(.delete(item("a")))
    }
    world.restart()
    let reads = try (0..<4).map { _ in try outcome(.read([item("other")])).surplus }
    #expect(reads.map(\.count) == [64, 64, 22, 0] && Array(reads.joined()) == ids)
    // With writes they come in turns.
    let writes = try (0..<3).map { _ in
      try outcome(.update(item("other"), Changes(attributes: Attributes()))).surplus
    }
    #expect(writes.allSatisfy { $0.count == Limits.items } && Set(writes.joined()) == Set(ids))
  }

  @Test func `an item that ended with the password leaves its form to be dropped`() throws {
    #expect(
      try world.add("a", accessibility: .whenPasscodeSetThisDeviceOnly, store: .secretService)
        == .done)
    let id = try world.place("a").id
    _ = try addPlaced("other")
    #expect(world.vault.passcodeRemoved(of: World.owner).count == 1)
    #expect(try outcome(.read([item("other")])).surplus == [id])
  }

  @Test func `a deletion is done, though its id cannot be written down`() throws {
    let id = try addPlaced("a")
    world.storage.fail(.note)
    #expect(try outcome(.delete(item("a"))).surplus == [id])
    world.storage.heal()
    #expect(world.read("a") == .failed(.notFound))
  }
}
