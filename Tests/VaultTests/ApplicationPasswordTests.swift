import AccessControl
import Testing
import Vault
import Wire

@Suite struct ApplicationPasswordTests {
  static let asked = Answer.asks([[.applicationPassword]])

  private static func world(_ policy: String = "none") throws -> World {
    let world = try World()
    #expect(
      try world.add("token", policy + " + applicationPassword", secret: "s", password: "right")
        == .done)
    return world
  }

  @Test func `the right password opens and a wrong one asks again`() throws {
    let world = try Self.world()
    #expect(world.read("token") == Self.asked)
    #expect(world.read("token", given: .password("right")) == .secrets(["s"]))
    #expect(world.read("token", given: .password("wrong")) == Self.asked)
    #expect(world.read("token", given: .password("wrong"), .password("right")) == .secrets(["s"]))
    world.restart()
    #expect(world.read("token", given: .password("right")) == .secrets(["s"]))
  }

  @Test func `the third wrong password fails the request`() throws {
    let world = try Self.world()
    #expect(
      world.read("token", given: .password("a"), .password("b"), .password(""))
        == .failed(.authenticationFailed))
  }

  @Test func `neither a finger nor the passcode stands for it`() throws {
    let world = try Self.world()
    #expect(world.read("token", given: .finger, .passcode) == Self.asked)
    #expect(
      world.ask(.read([item("token")]), interaction: false) == .failed(.interactionNotAllowed))
  }

  @Test func `it comes beside what else the policy wants, in any order`() throws {
    let world = try Self.world("userPresence")
    let both: [[Factor]] = [
      [.biometry, .applicationPassword], [.devicePasscode, .applicationPassword],
    ]
    #expect(world.read("token") == .asks(both))
    #expect(world.read("token", given: .finger, .password("right")) == .secrets(["s"]))
    #expect(world.read("token", given: .password("right"), .passcode) == .secrets(["s"]))
    #expect(
      world.read("token", given: .password("right"))
        == .asks([[.biometry], [.devicePasscode]]))
    #expect(world.read("token", given: .password("wrong"), .finger) == Self.asked)
  }

  @Test func `it is asked for last and alone, and no factor that is no longer needed`() throws {
    let world = try Self.world("userPresence")
    guard case .gather(let first, let pending) = world.begin(.read([item("token")])),
      case .gather(let second, _) = world.vault.resume(pending, .verified(.biometry))
    else {
      Issue.record("nobody was asked")
      return
    }
    #expect(first.factors == [.biometry, .devicePasscode])
    #expect(second.factors == [.applicationPassword])
  }

  @Test func `no context and no reuse keeps it`() throws {
    let world = try World()
    let control = "none + applicationPassword"
    _ = try world.add("token", control, reuse: 300, secret: "s", password: "right")
    let read = Operation.read([item("token")])
    #expect(world.ask(read, context: 7, reuse: 300, .password("right")) == .secrets(["s"]))
    #expect(world.ask(read, context: 7, reuse: 300) == Self.asked)
  }

  @Test func `an add wants it before the secret, and stores nothing until it is stretched`() throws
  {
    let world = try World()
    let control = try AccessControl(text: "none + applicationPassword")
    let new = NewItem(
      identity: item("token"), attributes: Attributes(), accessControl: control)
    #expect(
      world.ask(.add(new, replacing: false), secrets: ["s"]) == .failed(.protocolViolation))
    guard
      case .derive(let salts, let pending) = world.begin(
        .add(new, replacing: false), secrets: ["right", "s"])
    else {
      Issue.record("nothing was to be stretched")
      return
    }
    #expect(salts.map(\.count) == [16])
    #expect(world.read("token") == .failed(.notFound))
    #expect(
      world.answer(world.vault.resume(pending, .derived([])), []) == .failed(.internalError))
    #expect(world.read("token") == .failed(.notFound))
  }

  @Test func `an item without one takes no second secret`() throws {
    let world = try World()
    let new = NewItem(
      identity: item("token"), attributes: Attributes(), accessControl: try AccessControl())
    #expect(
      world.ask(.add(new, replacing: false), secrets: ["x", "y"]) == .failed(.protocolViolation))
  }

  @Test func `each item has a salt of its own, and one password opens both`() throws {
    let world = try Self.world()
    _ = try world.add("other", "none + applicationPassword", secret: "o", password: "right")
    guard case .gather(_, let pending) = world.begin(.read([item("token"), item("other")])),
      case .derive(let salts, _) = world.vault.resume(pending, .applicationPassword)
    else {
      Issue.record("nobody was asked")
      return
    }
    #expect(Set(salts).count == 2)
    #expect(world.read("token", "other", given: .password("right")) == .secrets(["s", "o"]))
    _ = try world.add(
      "other", "none + applicationPassword", secret: "o", password: "left", replacing: true)
    #expect(world.read("token", "other", given: .password("right")) == Self.asked)
    #expect(world.read("token", "other", given: .password("left")) == Self.asked)
  }

  @Test func `an update keeps the password`() throws {
    let world = try Self.world()
    let update = Operation.update(item("token"), Changes(replacesSecret: true))
    guard case .gather(_, let pending) = world.begin(update, secrets: ["new"]) else {
      Issue.record("nobody was asked")
      return
    }
    let step = world.vault.resume(pending, .applicationPassword)
    #expect(world.answer(step, password: "wrong", []) == Self.asked)
    #expect(
      world.answer(
        world.vault.resume(pending, .applicationPassword), password: "right", []) == .done)
    #expect(world.read("token", given: .password("right")) == .secrets(["new"]))
    #expect(world.read("token", given: .password("wrong")) == Self.asked)
  }

  @Test func `it stands in both wraps of a bound item`() throws {
    let world = try Self.world("biometryCurrentSet | devicePasscode")
    #expect(world.read("token", given: .finger, .password("right")) == .secrets(["s"]))
    #expect(world.read("token", given: .finger, .password("wrong")) == Self.asked)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token", given: .passcode, .password("wrong")) == Self.asked)
    #expect(world.read("token", given: .passcode, .password("right")) == .secrets(["s"]))
    #expect(world.ask(.rearm(item("token")), .passcode, .password("right")) == .done)
    #expect(world.read("token", given: .finger, .password("right")) == .secrets(["s"]))
  }

  @Test func `an evaluation, which has no item, does not ask for one`() throws {
    let world = try World()
    let control = try AccessControl(text: "userPresence + applicationPassword")
    #expect(world.ask(.evaluate(control)) == .asks([[.biometry], [.devicePasscode]]))
    #expect(world.ask(.evaluate(control), .finger) == .done)
  }
}
