import AccessControl
import Testing
import Vault
import WhorlTesting
import Wire

/// An item bound to the prints dies when they change.
@Suite struct EnrollmentTests {
  static let changes: [(name: String, kind: EnrollmentChange.Kind, path: String, body: Change)] = [
    ("a finger added", .enrolled, Finger.leftThumb.path, { $0.enroll(.leftThumb, of: "alice") }),
    (
      "one of two fingers deleted", .deleted, Finger.rightIndex.path,
      { $0.delete(.rightIndex, of: "alice") }
    ),
    (
      "a finger enrolled again, file and all the same but its time", .reenrolled,
      Finger.rightThumb.path,
      { $0.enroll(.rightThumb, of: "alice") }
    ),
    (
      "a finger enrolled again", .reenrolled, Finger.rightThumb.path,
      { $0.enroll(.rightThumb, of: "alice", content: "another") }
    ),
    (
      "a file that is no print appears", .irregular, "notes",
      { $0.putFile("notes", of: "alice") }
    ),
    ("a symbolic link appears", .irregular, "link", { $0.putLink("link", of: "alice") }),
    ("all fingers deleted", .allDeleted, "", { $0.restore(.init(), of: "alice") }),
  ]
  typealias Change = @Sendable (ScriptedEnrollment) -> Void

  static func world() throws -> World {
    try World(
      enrollment: ScriptedEnrollment(
        fingers: [.rightThumb, .rightIndex], of: "alice"))
  }

  @Test(arguments: changes)
  func `any change of the prints invalidates, and show names the cause`(
    change: (name: String, kind: EnrollmentChange.Kind, path: String, body: Change)
  ) throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    #expect(world.binding("token") == .live)
    #expect(world.read("token", given: .finger) == .secrets(["secret of token"]))
    change.body(world.enrollment)
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    let cause = try #require(world.cause("token"))
    #expect(cause.kind == change.kind)
    #expect(String(decoding: cause.path, as: UTF8.self) == change.path)
    #expect(cause.time > 0)
    world.restart()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(world.cause("token") == cause)
  }

  @Test(arguments: changes)
  func `putting the old files back does not revive it`(
    change: (name: String, kind: EnrollmentChange.Kind, path: String, body: Change)
  ) throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    let before = world.enrollment.prints(of: "alice")
    change.body(world.enrollment)
    #expect(world.look().map(\.change.kind) == [change.kind])
    world.enrollment.restore(before, of: "alice")
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    world.restart()
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
    #expect(world.cause("token")?.kind == change.kind)
  }

  @Test(arguments: [
    Operation.read([item("token")]), .list(Query()), .show(item("token")), .domainState,
    .rearm(item("token")),
  ])
  func `an end is told once, whatever request finds it`(request: Operation) throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet | devicePasscode")
    world.enrollment.enroll(.leftThumb, of: "alice")
    _ = world.ask(request)
    let ended = world.takeEnded()
    #expect(ended.map(\.change.kind) == [.enrolled] && ended.map(\.owner) == [World.owner])
    _ = world.ask(request)
    #expect(world.look().isEmpty)
  }

  @Test func `a print that was deleted and enrolled again is told as enrolled again`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    world.enrollment.delete(.rightThumb, of: "alice")
    #expect(world.cause("token")?.kind == .deleted)
    world.enrollment.enroll(.rightThumb, of: "alice")
    #expect(world.cause("token")?.kind == .reenrolled)
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
  }

  @Test func `the cause stays the first one when the prints change again`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.cause("token")?.kind == .enrolled)
    world.enrollment.restore(.init(), of: "alice")
    #expect(world.cause("token")?.kind == .enrolled)
  }

  @Test func `a new set of the same user opens nothing that was bound before`() throws {
    let world = try Self.world()
    _ = try world.add("old", "biometryCurrentSet")
    world.enrollment.enroll(.leftThumb, of: "alice")
    _ = try world.add("new", "biometryCurrentSet")
    #expect(world.read("new", given: .finger) == .secrets(["secret of new"]))
    #expect(world.read("old", given: .finger) == .failed(.invalidated))
    #expect(world.read("old", "new", given: .finger) == .failed(.invalidated))
  }

  @Test func `biometryAny lives through every change`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryAny")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .finger) == .secrets(["secret of token"]))
    #expect(world.binding("token") == .unbound)
  }

  @Test func `an invalidated item can be overwritten and deleted without a prompt`() throws {
    let world = try Self.world()
    _ = try world.add("a", "biometryCurrentSet")
    _ = try world.add("b", "biometryCurrentSet")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(try world.add("a", "biometryCurrentSet", secret: "new") == .failed(.duplicate))
    #expect(try world.add("a", "biometryCurrentSet", secret: "new", replacing: true) == .done)
    #expect(world.read("a", given: .finger) == .secrets(["new"]))
    #expect(world.ask(.delete(item("b"))) == .done)
    #expect(world.read("b") == .failed(.notFound))
  }

  @Test func `prints that change between verify and release refuse`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    guard case .gather(_, let pending) = world.begin(.read([item("token")])) else {
      Issue.record("nobody was asked")
      return
    }
    // The next look is the one that dates the evidence, the one after it the last before release.
    let release = world.enrollment.looks + 2
    world.enrollment.beforeLook = { [enrollment = world.enrollment] look in
      if look == release { enrollment.enroll(.leftThumb, of: "alice") }
    }
    #expect(
      world.answer(world.vault.resume(pending, .verified(.biometry)), [])
        == .failed(.invalidated))
    #expect(world.enrollment.looks >= release)
  }

  @Test func `prints that change while a finger is waited for refuse`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    #expect(
      world.read(
        "token",
        given: .change { world.enrollment.enroll(.leftThumb, of: "alice") }, .finger)
        == .failed(.invalidated))
  }

  @Test func `nothing can be bound to prints that are not there or cannot be told apart`() throws {
    let world = try World(enrollment: ScriptedEnrollment())
    #expect(try world.add("token", "biometryCurrentSet") == .failed(.notEnrolled))
    world.enrollment.enroll(.rightThumb, of: "alice")
    world.enrollment.putLink("link", of: "alice")
    #expect(try world.add("token", "biometryCurrentSet") == .failed(.invalidated))
    world.enrollment.isAvailable = false
    #expect(try world.add("token", "biometryCurrentSet") == .failed(.unavailable))
    #expect(world.read("token") == .failed(.notFound))
  }

  @Test func `prints that cannot be seen refuse for as long, and end nothing`() throws {
    let world = try Self.world()
    _ = try world.add("token", "biometryCurrentSet")
    _ = try world.add("other", "biometryCurrentSet | devicePasscode")
    world.enrollment.isAvailable = false
    #expect(world.read("token", given: .finger) == .failed(.unavailable))
    #expect(world.cause("token")?.kind == .unavailable)
    #expect(world.read("other", given: .passcode) == .secrets(["secret of other"]))
    world.enrollment.isAvailable = true
    #expect(world.read("token", given: .finger) == .secrets(["secret of token"]))
    world.enrollment.isAvailable = false
    world.enrollment.enroll(.leftThumb, of: "alice")
    world.enrollment.isAvailable = true
    #expect(world.read("token", given: .finger) == .failed(.invalidated))
  }
}

/// The passcode branch of a bound item, and what it may do.
@Suite struct RearmTests {
  private static func dead() throws -> World {
    let world = try EnrollmentTests.world()
    _ = try world.add("token", "biometryCurrentSet | devicePasscode")
    world.enrollment.enroll(.leftThumb, of: "alice")
    return world
  }

  @Test func `a passcode branch opens after the other died, and never by a finger`() throws {
    let world = try Self.dead()
    #expect(world.read("token") == .asks([[.devicePasscode]]))
    #expect(world.read("token", given: .finger) == .asks([[.devicePasscode]]))
    #expect(world.read("token", given: .passcode) == .secrets(["secret of token"]))
    #expect(world.cause("token")?.kind == .enrolled)
    guard case .items(let rows) = world.ask(.list(Query())) else {
      Issue.record("no list")
      return
    }
    #expect(rows.map(\.isInvalidated) == [false])
  }

  @Test func `the passcode re-arms, a finger never does`() throws {
    let world = try Self.dead()
    #expect(world.ask(.rearm(item("token")), .finger) == .asks([[.devicePasscode]]))
    #expect(world.read("token", given: .finger) == .asks([[.devicePasscode]]))
    #expect(world.ask(.rearm(item("token")), .passcode) == .done)
    #expect(world.binding("token") == .live)
    #expect(world.read("token", given: .finger) == .secrets(["secret of token"]))
  }

  @Test func `re-arming asks for the passcode of a live item too`() throws {
    let world = try EnrollmentTests.world()
    _ = try world.add("token", "biometryCurrentSet | devicePasscode")
    #expect(world.ask(.rearm(item("token")), .finger) == .asks([[.devicePasscode]]))
    #expect(
      world.ask(.rearm(item("token")), interaction: false) == .failed(.interactionNotAllowed))
  }

  @Test(
    arguments: [
      ("none", FailureCode.badParameter), ("userPresence", .badParameter),
      ("biometryAny", .badParameter), ("biometryCurrentSet", .badParameter),
      ("biometryCurrentSet & devicePasscode", .badParameter),
    ])
  func `what re-arming cannot do is refused before anybody is asked`(
    policy: String, code: FailureCode
  ) throws {
    let world = try EnrollmentTests.world()
    _ = try world.add("token", policy)
    #expect(world.ask(.rearm(item("token"))) == .failed(code))
    guard policy.contains("CurrentSet") else { return }
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.ask(.rearm(item("token"))) == .failed(.invalidated))
  }

  @Test func `re-arming without prints fails and leaves the passcode branch`() throws {
    let world = try Self.dead()
    world.enrollment.restore(.init(), of: "alice")
    #expect(world.ask(.rearm(item("token")), .passcode) == .failed(.notEnrolled))
    #expect(world.read("token", given: .passcode) == .secrets(["secret of token"]))
  }

  @Test func `a passcode that another prompt let serve again does not re-arm beyond the limit`()
    throws
  {
    let world = try EnrollmentTests.world()
    _ = try world.add("token", "biometryCurrentSet | devicePasscode", reuse: 60)
    // The prompt of re-arming says nothing of reuse, so nothing of it is kept.
    #expect(world.ask(.rearm(item("token")), reuse: 60, .passcode) == .done)
    #expect(
      world.ask(.read([item("token")]), reuse: 60) == .asks([[.biometry], [.devicePasscode]]))
  }
}
