import AccessControl
import Crypto
import SecretMemory
import Testing
import WhorlTesting
import Wire

@testable import Vault

/// What another implementation made from the written formats opens here, to the byte.
@Suite struct VectorTests {
  @Test func `a file without vectors is an error`() {
    #expect(throws: (any Error).self) { try VectorFile("none.txt") }
  }

  // MARK: Items outside

  @Test(arguments: ["plain", "presence", "all"])
  func `a row of an item outside has the bytes on disk`(name: String) throws {
    let file = try VectorFile("outside.txt")
    let form = try VectorFile("store.txt").bytes("item/\(name)/sealed")
    let kept = KeptItem(try SealedItem(form), outside: try file.bytes("\(name)/id"))
    #expect(kept.outside?.digest == (try file.bytes("\(name)/digest")))
    #expect(kept.encoded == (try file.bytes("\(name)/unplaced")))
    #expect(kept.placed.encoded == (try file.bytes("\(name)/placed")))
    for row in ["unplaced", "placed"] {
      let bytes = try file.bytes("\(name)/\(row)")
      let read = try KeptItem(bytes)
      #expect(read.encoded == bytes && read.header == kept.header)
      #expect(read.isPlaced == (row == "placed"))
    }
  }

  // MARK: Enrollment

  @Test func `keys of the enrollment digest are derived as written`() throws {
    let file = try VectorFile("enrollment.txt")
    let host = secret(try file.bytes("host-key"))
    let owner = try file.bytes("owner")
    #expect(owner == World.owner.encoded)
    for (label, name) in [
      ("whorl print content", "content-key"), ("whorl enrollment", "digest-key"),
      ("whorl domain state", "domain-key"),
    ] {
      #expect(plain(try Sealing.derive(host, label, owner)) == (try file.bytes(name)))
    }
  }

  @Test(arguments: ["one", "two", "odd"])
  func `prints have the digest on disk, in whatever order they are found`(set: String) throws {
    let file = try VectorFile("enrollment.txt")
    let prints = FixedPrints(try Self.files(file, set))
    let contentKey = secret(try file.bytes("content-key"))
    let digestKey = secret(try file.bytes("digest-key"))
    guard case .entries(let entries) = prints.entries(of: World.owner, contentKey: contentKey)
    else {
      Issue.record("no entries")
      return
    }
    for (index, entry) in entries.enumerated() {
      #expect(entry.contentHash == (try file.bytes("\(set)/\(index)/content-hash")))
    }
    let digest = try file.bytes(set + "/digest")
    for order in [entries, entries.reversed()] {
      let state = EnrollmentDigest.state(.entries(order), key: digestKey)
      #expect(state == .enrolled(digest: digest))
    }
  }

  @Test func `the domain state has the bytes on disk`() throws {
    let file = try VectorFile("enrollment.txt")
    let keys = MemoryKeySource(
      hostKey: secret(try file.bytes("host-key")), shredKey: try Random.secret(32))
    for set in ["one", "two", "odd"] {
      let vault = Vault(
        storage: MemoryStorage(), keys: keys, enrollment: FixedPrints(try Self.files(file, set)),
        host: ScriptedHost())
      let step = vault.begin(
        Request(.domainState),
        by: PendingOperation.Caller(connection: 1, subject: World.alice), secrets: [])
      guard case .done(let outcome) = step else {
        Issue.record("no domain state")
        continue
      }
      #expect(outcome.reply == .domainState(try file.bytes(set + "/domain-state")))
    }
  }

  // MARK: Identity

  @Test(arguments: ItemClass.allCases)
  func `an identity has the bytes on disk, both ways`(itemClass: ItemClass) throws {
    let file = try VectorFile("identity.txt")
    let name = itemClass.rawValue
    let identity = ItemIdentity(
      itemClass: itemClass, group: try file.bytes(name + "/group"),
      primary: try itemClass.primaryAttributes.indices.map { try file.bytes("\(name)/\($0)") })
    let encoded = try file.bytes(name + "/encoded")
    #expect(identity.encoded == encoded)
    var decoder = Decoder(encoded)
    #expect(try ItemIdentity(from: &decoder) == identity)
    try decoder.finish()
  }

  // MARK: A store

  /// The engine on a store that another implementation wrote.
  private static func engine() throws -> (VectorFile, World) {
    let file = try VectorFile("store.txt")
    let storage = MemoryStorage()
    try storage.setUserKey(of: World.owner, try file.bytes("user-key-box"))
    try storage.setGenerationSlot(of: World.owner, 0, try file.bytes("generation-slot"))
    for name in try file.names(in: "item") {
      try storage.store(of: World.owner).insert(
        try file.bytes("item/\(name)/identity"), sealed: try file.bytes("item/\(name)/sealed"))
    }
    let keys = MemoryKeySource(
      hostKey: secret(try file.bytes("host-key")), shredKey: secret(try file.bytes("shred-key")))
    let world = try World(
      storage: storage, keys: keys, prints: FixedPrints(try files(file, "print")))
    return (file, world)
  }

  @Test func `every item of a foreign store opens, by its own evidence`() throws {
    let (file, world) = try Self.engine()
    let names = try file.names(in: "item")
    #expect(names == ["all", "both", "bound", "either", "password", "plain", "presence"])
    for name in names {
      let expected = Answer.secrets([
        String(decoding: try file.bytes("item/\(name)/secret"), as: UTF8.self)
      ])
      let given: [Given] =
        switch name {
        case "plain": []
        case "password": [.password("open sesame")]
        case "all": [.finger, .password("open sesame")]
        case "both": [.finger, .passcode]
        default: [.finger]
        }
      #expect(world.answer(world.begin(.read([item(name)])), given) == expected, "\(name)")
      if let last = given.last, case .password = last {
        #expect(
          world.answer(
            world.begin(.read([item(name)])), given.dropLast() + [.password("open sesame ")])
            == .asks([[.applicationPassword]]), "\(name)")
      }
    }
    #expect(world.keys.rotations == 0)
  }

  @Test(arguments: ["either", "all"])
  func `the passcode branch of a foreign item opens when its generation is gone`(
    name: String
  ) throws {
    let (file, world) = try Self.engine()
    world.prints?.files[0].modified += 1
    let step = world.begin(.read([item(name)]))
    let answer = world.answer(
      step, [.passcode] + (name == "all" ? [.password("open sesame")] : []))
    #expect(
      answer
        == .secrets([String(decoding: try file.bytes("item/\(name)/secret"), as: UTF8.self)]))
    #expect(world.read("bound", given: .finger) == .failed(.invalidated))
  }

  @Test func `a sealed item is read and written as the same bytes`() throws {
    let file = try VectorFile("store.txt")
    for name in try file.names(in: "item") {
      let bytes = try file.bytes("item/\(name)/sealed")
      #expect(try SealedItem(bytes).encoded == bytes, "\(name)")
    }
  }

  @Test func `the content of a generation slot has the bytes on disk, both ways`() throws {
    let file = try VectorFile("store.txt")
    let bytes = try file.bytes("generation-plaintext")
    #expect(bytes.count == GenerationSlot.count)
    let generation = try #require(try GenerationSlot.generation(secret(bytes)))
    #expect(generation.id.bytes == (try file.bytes("generation-id")))
    #expect(plain(try GenerationSlot.plaintext(generation)) == bytes)
    let empty = [1, 0] + [UInt8](repeating: 0, count: GenerationSlot.count - 2)
    #expect(plain(try GenerationSlot.plaintext(nil)) == empty)
    #expect(try GenerationSlot.generation(secret(empty)) == nil)
  }

  @Test(arguments: [(0, 2), (1, 2), (50, 2)])
  func `a generation slot of another format is refused`(index: Int, value: Int) throws {
    var bytes = try VectorFile("store.txt").bytes("generation-plaintext")
    bytes[index] = UInt8(value)
    #expect(throws: VaultError.forged) { try GenerationSlot.generation(secret(bytes)) }
    #expect(throws: VaultError.forged) { try GenerationSlot.generation(secret([1, 0])) }
  }

  // MARK: Rotation

  @Test(arguments: ["old", "new"])
  func `the shred key decides which of two foreign slots is the generation`(key: String) throws {
    let file = try VectorFile("rotation.txt")
    let storage = MemoryStorage()
    let bob = Owner(user: 1001, name: bytes("bob"))
    for (name, owner) in [("alice", World.owner), ("bob", bob)] {
      #expect(owner.encoded == (try file.bytes(name + "/owner")))
      try storage.setUserKey(of: owner, try file.bytes(name + "/user-key-box"))
      for index in 0...1 {
        try storage.setGenerationSlot(of: owner, index, try file.bytes("\(name)/slot/\(index)"))
      }
      try storage.store(of: owner).insert(
        try file.bytes(name + "/identity"), sealed: try file.bytes(name + "/sealed"))
    }
    let keys = MemoryKeySource(
      hostKey: secret(try file.bytes("host-key")),
      shredKey: secret(try file.bytes(key + "-shred-key")))
    let world = try World(
      storage: storage, keys: keys, prints: FixedPrints(try Self.files(file, "print")))
    #expect(
      world.read("token", given: .finger)
        == (key == "old" ? .secrets(["of alice"]) : .failed(.invalidated)))
    world.caller = PendingOperation.Caller(
      connection: 2, subject: World.subject(user: 1001, "bob"))
    #expect(world.read("token", given: .finger) == .secrets(["of bob"]))
  }

  static func files(_ file: VectorFile, _ set: String) throws -> [FixedPrints.File] {
    var files: [FixedPrints.File] = []
    while file.has("\(set)/\(files.count)/path") {
      let prefix = "\(set)/\(files.count)/"
      var decoder = Decoder(try file.bytes(prefix + "modified"))
      files.append(
        FixedPrints.File(
          path: try file.bytes(prefix + "path"), modified: try decoder.uint64(),
          content: try file.bytes(prefix + "content")))
    }
    return files
  }
}
