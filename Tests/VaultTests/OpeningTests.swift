import AccessControl
import Testing
import Wire

@Suite struct OpeningTests {
  @Test func `an ungated item opens at once`() throws {
    let world = try World()
    #expect(try world.add("token") == .done)
    #expect(world.read("token") == .secrets(["secret of token"]))
  }

  @Test(arguments: [0, 1, 63, 64, 65, 4096, 1_048_576])
  func `a secret of any length comes back as it was`(count: Int) throws {
    let world = try World()
    let secret = String(repeating: "x", count: count)
    #expect(try world.add("token", secret: secret) == .done)
    #expect(world.read("token") == .secrets([secret]))
  }

  @Test func `what is not there is not found`() throws {
    let world = try World()
    #expect(world.read("token") == .failed(.notFound))
    #expect(world.ask(.show(item("token"))) == .failed(.notFound))
    #expect(world.ask(.delete(item("token"))) == .failed(.notFound))
    #expect(world.ask(.rearm(item("token"))) == .failed(.notFound))
    #expect(world.ask(.update(item("token"), Changes())) == .failed(.notFound))
  }

  @Test func `one missing item releases none of the others`() throws {
    let world = try World()
    _ = try world.add("a")
    #expect(world.read("a", "b") == .failed(.notFound))
  }

  @Test func `a second item of the same identity is a duplicate and changes nothing`() throws {
    let world = try World()
    _ = try world.add("token", secret: "old")
    #expect(try world.add("token", secret: "new") == .failed(.duplicate))
    #expect(world.read("token") == .secrets(["old"]))
  }

  @Test func `replacing never prompts, and a failure keeps the old item`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence", secret: "old")
    world.storage.fail(.item)
    #expect(try world.add("token", secret: "new", replacing: true) == .failed(.storageFull))
    world.storage.heal()
    #expect(world.read("token", given: .finger) == .secrets(["old"]))
    #expect(try world.add("token", secret: "new", replacing: true) == .done)
    #expect(world.read("token") == .secrets(["new"]))
  }

  /// Policy, what is given, and what comes of it.
  typealias Row = (policy: String, given: [Factor], expected: Expected)
  enum Expected: Equatable {
    case open
    case asks([[Factor]])
  }
  static let finger = Factor.biometry
  static let passcode = Factor.devicePasscode
  static let table: [Row] = [
    ("none", [], .open),
    ("userPresence", [], .asks([[finger], [passcode]])),
    ("userPresence", [finger], .open),
    ("userPresence", [passcode], .open),
    ("biometryAny", [], .asks([[finger]])),
    ("biometryAny", [finger], .open),
    ("biometryAny", [passcode], .asks([[finger]])),
    ("biometryCurrentSet", [], .asks([[finger]])),
    ("biometryCurrentSet", [finger], .open),
    ("biometryCurrentSet", [passcode], .asks([[finger]])),
    ("devicePasscode", [], .asks([[passcode]])),
    ("devicePasscode", [finger], .asks([[passcode]])),
    ("devicePasscode", [passcode], .open),
    ("biometryAny | devicePasscode", [], .asks([[finger], [passcode]])),
    ("biometryAny | devicePasscode", [finger], .open),
    ("biometryAny | devicePasscode", [passcode], .open),
    ("biometryCurrentSet | devicePasscode", [], .asks([[finger], [passcode]])),
    ("biometryCurrentSet | devicePasscode", [finger], .open),
    ("biometryCurrentSet | devicePasscode", [passcode], .open),
    ("biometryAny & devicePasscode", [], .asks([[finger, passcode]])),
    ("biometryAny & devicePasscode", [finger], .asks([[passcode]])),
    ("biometryAny & devicePasscode", [passcode], .asks([[finger]])),
    ("biometryAny & devicePasscode", [finger, passcode], .open),
    ("biometryCurrentSet & devicePasscode", [], .asks([[finger, passcode]])),
    ("biometryCurrentSet & devicePasscode", [finger], .asks([[passcode]])),
    ("biometryCurrentSet & devicePasscode", [passcode], .asks([[finger]])),
    ("biometryCurrentSet & devicePasscode", [passcode, finger], .open),
    ("biometryAny | companion", [], .asks([[finger]])),
  ]

  @Test(arguments: table)
  func `an access control opens by its own evidence and no other`(row: Row) throws {
    let world = try World()
    #expect(try world.add("token", row.policy) == .done)
    let given = row.given.map { $0 == .biometry ? Given.finger : .passcode }
    let expected: Answer =
      switch row.expected {
      case .open: .secrets(["secret of token"])
      case .asks(let alternatives): .asks(alternatives)
      }
    #expect(world.answer(world.begin(.read([item("token")])), given) == expected)
  }

  @Test func `without interaction a gated read fails at once and keeps nothing`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    #expect(
      world.ask(.read([item("token")]), interaction: false) == .failed(.interactionNotAllowed))
    #expect(world.read("token") == .asks([[.biometry], [.devicePasscode]]))
  }

  @Test func `several items are one act`() throws {
    let world = try World()
    for name in ["a", "b", "c"] { _ = try world.add(name, "userPresence") }
    #expect(
      world.read("a", "b", "c", given: .finger)
        == .secrets(["secret of a", "secret of b", "secret of c"]))
    #expect(world.read("a") == .asks([[.biometry], [.devicePasscode]]))
  }

  @Test func `the prompt names every item that the act releases`() throws {
    let world = try World()
    _ = try world.add("a", "userPresence")
    _ = try world.add("b")
    guard case .gather(let gathering, _) = world.begin(.read([item("a"), item("b")])) else {
      Issue.record("nobody was asked")
      return
    }
    #expect(gathering.items == [bytes("a"), bytes("b")])
  }

  @Test(
    arguments: [
      ("userPresence", "devicePasscode", [[.devicePasscode]]),
      ("biometryAny", "devicePasscode", [[.biometry, .devicePasscode]]),
      ("biometryAny", "biometryAny", [[.biometry]]),
      ("none", "userPresence", [[.biometry], [.devicePasscode]]),
    ] as [(String, String, [[Factor]])])
  func `the needs of two items are combined`(
    first: String, second: String, expected: [[Factor]]
  ) throws {
    let world = try World()
    _ = try world.add("a", first)
    _ = try world.add("b", second)
    #expect(world.read("a", "b") == .asks(expected))
    #expect(
      world.read("a", "b", given: .finger, .passcode)
        == .secrets(["secret of a", "secret of b"]))
  }

  @Test func `an obstacle leaves the other branch, and refuses when there is none`() throws {
    let world = try World()
    _ = try world.add("a", "userPresence")
    _ = try world.add("b", "biometryAny")
    #expect(world.read("a", given: .obstacle(.noReader)) == .asks([[.devicePasscode]]))
    #expect(world.read("b", given: .obstacle(.noReader)) == .failed(.noReader))
    world.host.biometryObstacle = .remote
    #expect(world.read("a") == .asks([[.devicePasscode]]))
    #expect(world.read("b") == .failed(.notAtReader))
    world.host.hasPasscode = false
    #expect(world.read("a") == .failed(.notAtReader))
  }

  @Test func `whether a policy could be evaluated asks nobody, whatever stands in the way`() throws
  {
    let world = try World()
    let control = try AccessControl(text: "biometryAny")
    #expect(
      world.ask(.canEvaluate(control), interaction: false) == .asks([[.biometry]]))
    #expect(
      world.ask(.canEvaluate(control), interaction: false, .obstacle(.noReader))
        == .failed(.noReader))
    #expect(world.ask(.evaluate(control), .finger) == .done)
    #expect(world.ask(.evaluate(control), interaction: false) == .failed(.interactionNotAllowed))
  }

  @Test func `the domain state changes with the prints and is empty without`() throws {
    let world = try World()
    let first = world.ask(.domainState)
    #expect(world.ask(.domainState) == first)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.ask(.domainState) != first)
    world.enrollment.restore(.init(), of: "alice")
    #expect(world.ask(.domainState) == .domainState([]))
    world.enrollment.isAvailable = false
    #expect(world.ask(.domainState) == .failed(.unavailable))
  }
}
