import AccessControl
import SecretMemory
import Testing
import Vault
import WhorlTesting
import Wire

/// Generations: who makes them, how they end, and what an interruption leaves.
@Suite struct GenerationTests {
  @Test func `looking makes no generation`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    _ = world.read("token", given: .finger)
    _ = world.ask(.list(Query()))
    _ = world.ask(.show(item("token")))
    _ = world.ask(.domainState)
    _ = world.ask(.evaluate(try AccessControl(text: "biometryCurrentSet")), .finger)
    _ = world.look()
    #expect(world.storage.writes(.generationSlot) == 0)
    #expect(world.keys.rotations == 0)
  }

  @Test func `the first bound item makes one, the next ones share it`() throws {
    let world = try World()
    for name in ["a", "b", "c"] { _ = try world.add(name, "biometryCurrentSet") }
    #expect(world.keys.rotations == 1)
    world.restart()
    #expect(
      world.read("a", "b", "c", given: .finger)
        == .secrets(["secret of a", "secret of b", "secret of c"]))
  }

  @Test func `reading a dead item writes nothing once its end is written`() throws {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet")
    world.enrollment.enroll(.leftThumb, of: "alice")
    _ = world.read("token")
    let rotations = world.keys.rotations
    for _ in 0..<3 { #expect(world.read("token") == .failed(.invalidated)) }
    #expect(world.keys.rotations == rotations)
  }

  @Test(
    arguments: [
      (MemoryStorage.Write?.some(.generationSlot), StorageError.full), (.generationSlot, .failed),
      (nil, .full), (nil, .failed),
    ])
  func `an end that cannot be written refuses at once and is written later`(
    write: MemoryStorage.Write?, error: StorageError
  ) throws {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet")
    let before = world.enrollment.prints(of: "alice")
    if let write { world.storage.fail(write, with: error) } else { world.keys.failure = error }
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    // Also when the prints are put back before there is room to write the end.
    world.enrollment.restore(before, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    let failed = try world.add("other", "biometryCurrentSet")
    #expect(failed == .failed(error == .full ? .storageFull : .unavailable))
    world.storage.heal()
    world.keys.failure = nil
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    world.restart()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(try world.add("other", "biometryCurrentSet") == .done)
  }

  @Test(arguments: [true, false])
  func `an end that cannot be written outlives a restart, though the prints are put back`(
    slotsFail: Bool
  ) throws {
    let world = try Self.twoOwners()
    let before = world.enrollment.prints(of: "alice")
    if slotsFail { world.storage.fail(.generationSlot) } else { world.keys.failure = .failed }
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.look(at: "alice").count == 1)
    // Told once, however often it is tried again.
    #expect(world.look(at: "alice").isEmpty)
    world.restart()
    world.enrollment.restore(before, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(world.cause("token")?.kind == .enrolled)
    Self.asBob(world) { #expect(world.read("token", given: .finger) == .secrets(["bob's"])) }
    // And when it can be written again.
    world.storage.heal()
    world.keys.failure = nil
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(try world.add("other", "biometryCurrentSet") == .done)
    world.restart()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(world.read("other", given: .finger) == .secrets(["secret of other"]))
    Self.asBob(world) { #expect(world.read("token", given: .finger) == .secrets(["bob's"])) }
  }

  @Test func `an end of which nothing can be written is one as long as the service runs`() throws {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet")
    let before = world.enrollment.prints(of: "alice")
    world.storage.fail(.generationSlot)
    world.storage.fail(.generationDrop)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.look().isEmpty)
    world.enrollment.restore(before, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    world.storage.heal()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    world.restart()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
  }

  @Test func `an end whose explanation cannot be written is an end`() throws {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet")
    world.storage.fail(.note)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(world.cause("token")?.kind == .unknown)
  }

  /// Two owners with a live generation each, on one storage and key source.
  private static func twoOwners() throws -> World {
    let world = try World()
    world.enrollment.enroll(.rightThumb, of: "bob")
    _ = try world.add("token", "biometryCurrentSet")
    try asBob(world) { _ = try world.add("token", "biometryCurrentSet", secret: "bob's") }
    return world
  }

  private static func asBob(_ world: World, _ body: () throws -> Void) rethrows {
    let alice = world.caller
    defer { world.caller = alice }
    world.caller = PendingOperation.Caller(
      connection: 2, subject: World.subject(user: 1001, "bob", process: 2))
    try body()
  }

  @Test func `another owner's generation survives a rotation`() throws {
    let world = try Self.twoOwners()
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    for _ in 0..<2 {
      Self.asBob(world) {
        #expect(world.read("token", given: .finger) == .secrets(["bob's"]))
      }
      world.restart()
    }
  }

  @Test(arguments: 0...2)
  func `a crash at any point of a rotation leaves one whole state`(written: Int) throws {
    let world = try Self.twoOwners()
    // After `written` of the two slots, and with all of them before the key is replaced.
    world.storage.fail(.generationSlot, after: written)
    if written == 2 { world.keys.failure = .failed }
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    world.storage.heal()
    world.keys.failure = nil
    world.restart()
    // The old state is whole, and its end is found again.
    Self.asBob(world) { #expect(world.read("token", given: .finger) == .secrets(["bob's"])) }
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    Self.asBob(world) { #expect(world.read("token", given: .finger) == .secrets(["bob's"])) }
  }

  @Test func `a crash right after the key was replaced leaves the new state`() throws {
    let world = try Self.twoOwners()
    let before = world.enrollment.prints(of: "alice")
    world.enrollment.enroll(.leftThumb, of: "alice")
    world.storage.fail(.note)
    _ = world.look(at: "alice")
    world.storage.heal()
    world.restart()
    world.enrollment.restore(before, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    Self.asBob(world) { #expect(world.read("token", given: .finger) == .secrets(["bob's"])) }
  }

  @Test func `a crash while the first generation is made leaves no item and no generation`() throws
  {
    let world = try World()
    world.keys.failure = .failed
    #expect(try world.add("token", "biometryCurrentSet") == .failed(.unavailable))
    world.keys.failure = nil
    world.restart()
    #expect(world.read("token") == .failed(.notFound))
    #expect(try world.add("token", "biometryCurrentSet") == .done)
    #expect(world.read("token", given: .finger) == .secrets(["secret of token"]))
  }

  /// What the design claims, and no more: the storage alone brings nothing back; whoever also
  /// restores the key source's slot can, unless the slot is in a TPM.
  @Test func `a restored older state revives an item if the key source is restored, and else not`()
    throws
  {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet")
    let storage = world.storage.copy()
    let keys = world.keys.copy()
    let prints = world.enrollment.prints(of: "alice")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))

    world.enrollment.restore(prints, of: "alice")
    let storageOnly = try World(
      storage: storage.copy(), keys: world.keys, enrollment: world.enrollment)
    #expect(storageOnly.read("token", given: .finger) == .failed(.invalidated))
    let keysOnly = try World(
      storage: world.storage.copy(), keys: keys.copy(), enrollment: world.enrollment)
    // The slot that was left by the last rotation still opens under its own key.
    #expect(keysOnly.read("token", given: .finger) == .secrets(["secret of token"]))
    let both = try World(storage: storage, keys: keys, enrollment: world.enrollment)
    #expect(both.read("token", given: .finger) == .secrets(["secret of token"]))
  }
}
