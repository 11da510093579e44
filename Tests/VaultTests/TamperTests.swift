import AccessControl
import Testing
import WhorlTesting
import Wire

@testable import Vault

/// What somebody who can write the store gains: nothing opens that was not sealed so.
@Suite struct TamperTests {
  private static let policies = [
    "none", "userPresence", "biometryCurrentSet", "biometryCurrentSet | devicePasscode",
  ]

  private static func stored(_ world: World, _ name: String) throws -> [UInt8] {
    let store = world.storage.store(of: World.owner)
    return try #require(try store.item(item(name).encoded)).sealed
  }

  private static func put(_ world: World, _ name: String, _ sealed: [UInt8]) {
    world.storage.store(of: World.owner).overwrite(item(name).encoded, sealed: sealed)
  }

  private static func opens(_ world: World, _ name: String) -> Bool {
    for given in [[Given.finger, .passcode], [.passcode]] {
      if case .secrets = world.answer(world.begin(.read([item(name)])), given) { return true }
    }
    return false
  }

  @Test(arguments: policies)
  func `a flipped byte anywhere in a sealed item never opens`(policy: String) throws {
    let world = try World()
    _ = try world.add("token", policy, reuse: 7, attributes: ["labl": "x"])
    let sealed = try Self.stored(world, "token")
    #expect(Self.opens(world, "token"))
    for index in sealed.indices {
      for mask in [1, 0x80, 0xff] as [UInt8] {
        var changed = sealed
        changed[index] ^= mask
        Self.put(world, "token", changed)
        #expect(!Self.opens(world, "token"), "byte \(index) by \(mask)")
      }
    }
    Self.put(world, "token", sealed)
    #expect(Self.opens(world, "token"))
  }

  @Test func `an item cut short or made longer never opens`() throws {
    let world = try World()
    _ = try world.add("token")
    let sealed = try Self.stored(world, "token")
    for count in sealed.indices {
      Self.put(world, "token", Array(sealed[..<count]))
      #expect(world.read("token") == .failed(.corrupted), "\(count) bytes")
    }
    Self.put(world, "token", sealed + [0])
    #expect(world.read("token") == .failed(.corrupted))
  }

  /// An item of which parts can be changed.
  struct Parts {
    var header: SealedItem.Header
    var wraps: [SealedItem.Wrap]
    var box: [UInt8]

    init(_ item: SealedItem) {
      (header, wraps, box) = (item.header, item.wraps, item.box)
    }

    var item: SealedItem { SealedItem(header: header, wraps: wraps, box: box) }
  }

  /// Takes one part of the item from another.
  typealias Swap = @Sendable (inout Parts, Parts) -> Void
  static let swaps: [(name: String, swap: Swap)] = [
    ("the whole item", { $0 = $1 }),
    ("the header", { $0.header = $1.header }),
    ("the version", { $0.header.version = $1.header.version }),
    ("the time of creation", { $0.header.created = $1.header.created }),
    ("the time of the last change", { $0.header.modified = $1.header.modified }),
    ("the access control", { $0.header.accessControl = $1.header.accessControl }),
    ("the attributes", { $0.header.attributes = $1.header.attributes }),
    ("the generation", { $0.header.generation = $1.header.generation }),
    ("the salt", { $0.header.salt = $1.header.salt }),
    ("the length", { $0.header.secretCount = $1.header.secretCount }),
    ("the wraps", { $0.wraps = $1.wraps }),
    ("no wraps", { item, _ in item.wraps = [] }),
    (
      "a wrap called the other kind",
      { item, _ in
        item.wraps = item.wraps.map {
          SealedItem.Wrap(kind: $0.kind == .bound ? .unbound : .bound, box: $0.box)
        }
      }
    ),
    ("the secret", { $0.box = $1.box }),
    (
      "wraps and secret",
      {
        $0.wraps = $1.wraps
        $0.box = $1.box
      }
    ),
  ]

  @Test(arguments: swaps)
  func `any part of another item in its place is refused`(
    row: (name: String, swap: Swap)
  ) throws {
    let world = try World()
    // Two items that differ in every field, the second one open to anyone.
    _ = try world.add("a", "biometryCurrentSet", secret: "guarded")
    world.host.wait(seconds: 5)
    _ = try world.add("b", attributes: ["labl": "b"])
    world.host.wait(seconds: 5)
    var pairs = Attributes()
    pairs["labl"] = bytes("c")
    #expect(world.ask(.update(item("b"), Changes(attributes: pairs))) == .done)
    let (a, b) = (
      try SealedItem(Self.stored(world, "a")), try SealedItem(Self.stored(world, "b"))
    )
    for (name, own, other) in [("a", a, b), ("b", b, a)] {
      var changed = Parts(own)
      row.swap(&changed, Parts(other))
      guard changed.item != own else { continue }
      Self.put(world, name, changed.item.encoded)
      #expect(!Self.opens(world, name), "\(row.name) of \(name)")
      let answer = world.answer(world.begin(.read([item(name)])), [.finger, .passcode])
      #expect(
        [.failed(.corrupted), .failed(.invalidated)].contains(answer), "\(row.name) of \(name)")
      Self.put(world, name, own.encoded)
      #expect(Self.opens(world, name))
    }
  }

  @Test func `two items with the same header but their names cannot be exchanged`() throws {
    let world = try World()
    _ = try world.add("a", "userPresence", secret: "x")
    _ = try world.add("b", "userPresence", secret: "y")
    let (a, b) = (try Self.stored(world, "a"), try Self.stored(world, "b"))
    Self.put(world, "a", b)
    Self.put(world, "b", a)
    #expect(world.read("a", given: .finger) == .failed(.corrupted))
    #expect(world.read("b", given: .finger) == .failed(.corrupted))
  }

  @Test func `a gated item does not open under a weaker policy written over its own`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    var parts = Parts(try SealedItem(Self.stored(world, "token")))
    parts.header.accessControl = try AccessControl()
    Self.put(world, "token", parts.item.encoded)
    #expect(world.read("token") == .failed(.corrupted))
  }

  @Test func `another account's sealed item does not open as one's own`() throws {
    let world = try World()
    _ = try world.add("token", secret: "alice's")
    let sealed = try Self.stored(world, "token")
    world.caller = PendingOperation.Caller(
      connection: 2, subject: World.subject(user: 1001, "bob"))
    _ = try world.add("token", secret: "bob's")
    world.storage.store(of: Owner(user: 1001, name: bytes("bob"))).overwrite(
      item("token").encoded, sealed: sealed)
    #expect(world.read("token") == .failed(.corrupted))
  }

  @Test func `an item that cannot be read is listed by nobody, replaced and deleted`() throws {
    let world = try World()
    for name in ["a", "b"] { _ = try world.add(name) }
    for name in ["a", "b"] { Self.put(world, name, [9]) }
    #expect(world.ask(.list(Query())) == .items([]))
    #expect(world.ask(.show(item("a"))) == .failed(.corrupted))
    #expect(try world.add("a") == .failed(.duplicate))
    #expect(try world.add("a", secret: "new", replacing: true) == .done)
    #expect(world.read("a") == .secrets(["new"]))
    #expect(world.ask(.delete(item("b"))) == .done)
  }

  @Test func `another host key opens nothing`() throws {
    let world = try World()
    _ = try world.add("token")
    let other = try World(storage: world.storage, enrollment: world.enrollment)
    #expect(other.read("token") == .failed(.corrupted))
  }
}
