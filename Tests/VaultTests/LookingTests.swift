import AccessControl
import Testing
import Vault
import WhorlTesting
import Wire

/// List, show, and who sees what. Nobody is ever asked.
@Suite struct LookingTests {
  private static func rows(_ world: World, _ query: Query = Query()) -> [ItemRow] {
    guard case .items(let rows) = world.ask(.list(query), interaction: false) else {
      Issue.record("no list")
      return []
    }
    return rows
  }

  private static func names(_ rows: [ItemRow]) -> [String] {
    rows.map { String(decoding: $0.identity.displayName, as: UTF8.self) }
  }

  @Test func `list, show and delete of a gated item ask nobody`() throws {
    let world = try World()
    _ = try world.add("token", "biometryCurrentSet & devicePasscode")
    world.host.isUnlocked = false
    #expect(Self.names(Self.rows(world)) == ["token"])
    guard
      case .item(let detail) = world.ask(.show(item("token")), interaction: false)
    else {
      Issue.record("not shown")
      return
    }
    #expect(detail.row.accessControl.text == "biometryCurrentSet & devicePasscode")
    #expect(detail.secretCount == 15)
    #expect(world.ask(.delete(item("token")), interaction: false) == .done)
  }

  @Test func `a list comes in pages that go on after the last row`() throws {
    let world = try World()
    for number in 0..<Limits.page * 2 + 3 { _ = try world.add("item \(number)") }
    var query = Query()
    var pages: [Int] = []
    var names: [String] = []
    while true {
      let page = Self.rows(world, query)
      pages.append(page.count)
      guard let last = page.last else { break }
      names += Self.names(page)
      query.after = last.row
    }
    #expect(pages == [Limits.page, Limits.page, 3, 0])
    #expect(names == (0..<Limits.page * 2 + 3).map { "item \($0)" })
  }

  @Test func `a page fits in a message, and a large item hides none behind it`() throws {
    let world = try World()
    let large = String(repeating: "x", count: 15_000)
    for number in 0..<6 {
      #expect(
        try world.add("item \(number)", attributes: ["a": large, "b": large]) == .done)
    }
    var query = Query()
    var names: [String] = []
    while let last = Self.rows(world, query).last {
      let page = Self.rows(world, query)
      #expect(ServerMessage.done(.items(page)).encoded.count <= Limits.message)
      names += Self.names(page)
      query.after = last.row
    }
    #expect(names == (0..<6).map { "item \($0)" })
  }

  @Test func `attributes that fit in no answer are refused by add and update`() throws {
    let world = try World()
    let large = String(repeating: "x", count: 16_000)
    let attributes = ["a": large, "b": large, "c": large]
    #expect(try world.add("token", attributes: attributes) == .failed(.badParameter))
    _ = try world.add("token")
    var pairs = Attributes()
    for (name, value) in attributes { pairs[name] = bytes(value) }
    #expect(
      world.ask(.update(item("token"), Changes(attributes: pairs))) == .failed(.badParameter))
  }

  @Test func `a query names items by class, groups, primary and other attributes`() throws {
    let world = try World()
    func add(_ identity: ItemIdentity, _ label: String) throws {
      var pairs = Attributes()
      pairs["labl"] = bytes(label)
      let new = NewItem(
        identity: identity, attributes: pairs, accessControl: try AccessControl())
      #expect(world.ask(.add(new, replacing: false), secrets: ["s"]) == .done)
    }
    func generic(_ group: String, _ service: String, _ account: String) -> ItemIdentity {
      ItemIdentity(group: bytes(group), service: bytes(service), account: bytes(account))
    }
    try add(generic("whorl", "mail", "ann"), "one")
    try add(generic("whorl", "mail", "bob"), "two")
    try add(generic("app", "mail", "ann"), "one")
    var primary = Array(repeating: [UInt8](), count: 8)
    (primary[0], primary[2]) = (bytes("ann"), bytes("example.org"))
    try add(
      ItemIdentity(itemClass: .internetPassword, group: bytes("whorl"), primary: primary), "two")

    func found(
      _ itemClass: ItemClass? = nil, _ groups: [String] = [], _ matching: [String: String] = [:]
    ) -> [String] {
      var pairs = Attributes()
      for (name, value) in matching { pairs[name] = bytes(value) }
      return Self.names(
        Self.rows(
          world, Query(itemClass: itemClass, groups: groups.map(bytes), matching: pairs)))
    }
    #expect(found() == ["mail/ann", "mail/bob", "mail/ann", "example.org/ann"])
    #expect(found(.internetPassword) == ["example.org/ann"])
    #expect(found(.key) == [])
    #expect(found(nil, ["app"]) == ["mail/ann"])
    #expect(found(nil, ["app", "whorl"]).count == 4)
    #expect(found(nil, ["other"]) == [])
    #expect(found(nil, [], ["acct": "ann"]).count == 3)
    #expect(found(.genericPassword, ["whorl"], ["acct": "ann", "svce": "mail"]) == ["mail/ann"])
    #expect(found(nil, [], ["labl": "two"]) == ["mail/bob", "example.org/ann"])
    #expect(found(nil, [], ["labl": "tw"]) == [])
    #expect(found(nil, [], ["none": "x"]) == [])
  }

  @Test func `a list says which items are dead`() throws {
    let world = try World()
    _ = try world.add("free")
    _ = try world.add("bound", "biometryCurrentSet")
    _ = try world.add("both", "biometryCurrentSet | devicePasscode")
    #expect(Self.rows(world).map(\.isInvalidated) == [false, false, false])
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(Self.rows(world).map(\.isInvalidated) == [false, true, false])
  }

  @Test(
    arguments: [
      ("another account", World.subject(user: 1001, "bob")),
      ("a reused uid", World.subject(user: 1000, "mallory")),
      ("a reused name", World.subject(user: 1001, "alice")),
      ("root", World.subject(user: 0, "root")),
    ])
  func `nobody but the same uid with the same name sees an item`(
    name: String, subject: Subject
  ) throws {
    let world = try World()
    _ = try world.add("token")
    let owner = world.caller
    world.caller = PendingOperation.Caller(connection: 2, subject: subject)
    #expect(world.read("token") == .failed(.notFound))
    #expect(world.ask(.show(item("token"))) == .failed(.notFound))
    #expect(world.ask(.delete(item("token"))) == .failed(.notFound))
    #expect(Self.rows(world) == [])
    #expect(try world.add("token", secret: "own") == .done)
    #expect(world.read("token") == .secrets(["own"]))
    world.caller = owner
    #expect(world.read("token") == .secrets(["secret of token"]))
  }

  // MARK: Accessibility

  typealias Row = (
    accessibility: Accessibility, isUnlocked: Bool, wasUnlocked: Bool, hasPasscode: Bool,
    failure: FailureCode?
  )
  static let classes: [Row] = [
    (.whenUnlocked, true, true, true, nil),
    (.whenUnlocked, false, true, true, .locked),
    (.whenUnlocked, true, true, false, nil),
    (.whenUnlockedThisDeviceOnly, true, true, true, nil),
    (.whenUnlockedThisDeviceOnly, false, true, true, .locked),
    (.afterFirstUnlock, true, true, true, nil),
    (.afterFirstUnlock, false, true, true, nil),
    (.afterFirstUnlock, false, false, true, .locked),
    (.afterFirstUnlockThisDeviceOnly, false, true, true, nil),
    (.afterFirstUnlockThisDeviceOnly, false, false, true, .locked),
    (.whenPasscodeSetThisDeviceOnly, true, true, true, nil),
    (.whenPasscodeSetThisDeviceOnly, false, true, true, .locked),
    (.whenPasscodeSetThisDeviceOnly, true, true, false, .passcodeNotSet),
  ]

  @Test(arguments: classes)
  func `a protection class says when an item may be read`(row: Row) throws {
    for policy in ["none", "biometryAny"] {
      let world = try World()
      #expect(try world.add("token", policy, accessibility: row.accessibility) == .done)
      world.host.isUnlocked = row.isUnlocked
      world.host.wasUnlockedSinceBoot = row.wasUnlocked
      world.host.hasPasscode = row.hasPasscode
      #expect(
        world.read("token", given: .finger)
          == row.failure.map(Answer.failed) ?? .secrets(["secret of token"]))
    }
  }

  @Test func `whenPasscodeSet cannot be added without a passcode`() throws {
    let world = try World()
    world.host.hasPasscode = false
    #expect(
      try world.add("token", accessibility: .whenPasscodeSetThisDeviceOnly)
        == .failed(.passcodeNotSet))
  }

  @Test func `storage failures have their own codes`() throws {
    let codes: [(StorageError, FailureCode)] = [
      (.full, .storageFull), (.quota, .quotaExceeded), (.corrupted, .corrupted),
      (.busy, .busy), (.laterFormat, .unavailable), (.readOnly, .unavailable),
      (.failed, .unavailable),
    ]
    for (error, code) in codes {
      for write in [MemoryStorage.Write.item, .userKey] {
        let world = try World()
        world.storage.fail(write, with: error)
        #expect(try world.add("token") == .failed(code))
        world.storage.heal()
        #expect(world.read("token") == .failed(.notFound))
        #expect(try world.add("token") == .done)
        world.restart()
        #expect(world.read("token") == .secrets(["secret of token"]))
      }
    }
  }
}
