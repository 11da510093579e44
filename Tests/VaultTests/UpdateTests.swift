import AccessControl
import Testing
import Vault
import WhorlTesting
import Wire

@Suite struct UpdateTests {
  private static func secretChange() -> Changes { Changes(replacesSecret: true) }

  @Test func `an update of a gated item prompts, and of an ungated one does not`() throws {
    let world = try World()
    _ = try world.add("gated", "userPresence", secret: "old")
    _ = try world.add("free", secret: "old")
    let update = { (name: String) in Operation.update(item(name), Self.secretChange()) }
    #expect(world.ask(update("free"), secrets: ["new"]) == .done)
    #expect(world.read("free") == .secrets(["new"]))
    #expect(
      world.ask(update("gated"), secrets: ["new"], interaction: false)
        == .failed(.interactionNotAllowed))
    #expect(
      world.ask(update("gated"), secrets: ["new"]) == .asks([[.biometry], [.devicePasscode]]))
    #expect(world.read("gated", given: .finger) == .secrets(["old"]))
    #expect(world.ask(update("gated"), secrets: ["new"], .finger) == .done)
    #expect(world.read("gated", given: .finger) == .secrets(["new"]))
  }

  @Test func `an update changes what it names and keeps the rest`() throws {
    let world = try World()
    _ = try world.add("old", "userPresence", secret: "s", attributes: ["labl": "L"])
    world.host.wait(seconds: 60)
    var attributes = Attributes()
    attributes["icmt"] = bytes("note")
    let renamed = Changes(identity: item("new"))
    #expect(world.ask(.update(item("old"), renamed), .finger) == .done)
    #expect(world.read("old") == .failed(.notFound))
    #expect(world.read("new", given: .finger) == .secrets(["s"]))
    let described = Changes(attributes: attributes)
    #expect(world.ask(.update(item("new"), described), .finger) == .done)
    guard case .item(let detail) = world.ask(.show(item("new"))) else {
      Issue.record("not shown")
      return
    }
    #expect(detail.row.attributes == attributes)
    #expect(detail.row.accessControl.text == "userPresence")
    #expect(detail.row.modified == detail.row.created + 60)
    #expect(detail.secretCount == 1)
  }

  @Test func `a name that is taken is a duplicate and changes nothing`() throws {
    let world = try World()
    _ = try world.add("a")
    _ = try world.add("b")
    #expect(
      world.ask(.update(item("a"), Changes(identity: item("b")))) == .failed(.duplicate))
    #expect(world.read("a", "b") == .secrets(["secret of a", "secret of b"]))
  }

  @Test func `an item keeps its class`() throws {
    let world = try World()
    _ = try world.add("a")
    let other = ItemIdentity(
      itemClass: .internetPassword, group: bytes("whorl"),
      primary: Array(repeating: [], count: 8))
    #expect(
      world.ask(.update(item("a"), Changes(identity: other))) == .failed(.badParameter))
  }

  @Test func `a secret stands exactly where the changes say so`() throws {
    let world = try World()
    _ = try world.add("a", "userPresence")
    #expect(
      world.ask(.update(item("a"), Self.secretChange())) == .failed(.protocolViolation))
    #expect(
      world.ask(.update(item("a"), Changes()), secrets: ["x"]) == .failed(.protocolViolation))
  }

  @Test func `changing the accessibility takes the new class's key`() throws {
    let world = try World()
    _ = try world.add("a", "userPresence")
    let control = try AccessControl(accessibility: .afterFirstUnlock, flags: .userPresence)
    #expect(world.ask(.update(item("a"), Changes(accessControl: control)), .finger) == .done)
    world.host.isUnlocked = false
    world.restart()
    #expect(world.read("a", given: .finger) == .secrets(["secret of a"]))
  }

  @Test func `changing to whenPasscodeSet needs a passcode`() throws {
    let world = try World()
    _ = try world.add("a")
    world.host.hasPasscode = false
    let control = try AccessControl(accessibility: .whenPasscodeSetThisDeviceOnly)
    #expect(
      world.ask(.update(item("a"), Changes(accessControl: control)))
        == .failed(.passcodeNotSet))
    #expect(world.read("a") == .secrets(["secret of a"]))
  }

  @Test func `an application password comes and goes with add alone`() throws {
    let world = try World()
    _ = try world.add("a")
    let control = try AccessControl(text: "none + applicationPassword")
    #expect(
      world.ask(.update(item("a"), Changes(accessControl: control))) == .failed(.badParameter))
  }

  // MARK: Binding

  private static func bound(_ policy: String) throws -> World {
    let world = try World()
    _ = try world.add("token", policy, secret: "old")
    return world
  }

  private static let update = Operation.update(item("token"), secretChange())

  @Test func `an update by a finger keeps a live binding`() throws {
    let world = try Self.bound("biometryCurrentSet | devicePasscode")
    let rotations = world.keys.rotations
    #expect(world.ask(Self.update, secrets: ["new"], .finger) == .done)
    #expect(world.binding("token") == .live)
    #expect(world.keys.rotations == rotations)
    #expect(world.read("token", given: .finger) == .secrets(["new"]))
    #expect(world.read("token", given: .passcode) == .secrets(["new"]))
  }

  @Test func `an update by passcode binds a dead item to the prints of now`() throws {
    let world = try Self.bound("biometryCurrentSet | devicePasscode")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.ask(Self.update, secrets: ["new"], .finger) == .asks([[.devicePasscode]]))
    #expect(world.ask(Self.update, secrets: ["new"], .passcode) == .done)
    #expect(world.binding("token") == .live)
    #expect(world.read("token", given: .finger) == .secrets(["new"]))
  }

  @Test func `a dead item without a passcode branch is not updated`() throws {
    let world = try Self.bound("biometryCurrentSet")
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.ask(Self.update, secrets: ["new"], .finger) == .failed(.invalidated))
  }

  @Test(arguments: ["none", "link", "hidden"])
  func `without prints to bind to, an update by passcode leaves the branch dead`(
    prints: String
  ) throws {
    let world = try Self.bound("biometryCurrentSet | devicePasscode")
    switch prints {
    case "none": world.enrollment.restore(.init(), of: "alice")
    case "link": world.enrollment.putLink("link", of: "alice")
    default: world.enrollment.isAvailable = false
    }
    #expect(world.ask(Self.update, secrets: ["new"], .passcode) == .done)
    #expect(world.read("token") == .asks([[.devicePasscode]]))
    #expect(world.read("token", given: .passcode) == .secrets(["new"]))
  }

  @Test func `an update never writes an item that nothing could open`() throws {
    let world = try Self.bound("biometryCurrentSet | devicePasscode")
    world.enrollment.restore(.init(), of: "alice")
    let control = try AccessControl(text: "biometryCurrentSet")
    #expect(
      world.ask(.update(item("token"), Changes(accessControl: control)), .passcode)
        == .failed(.notEnrolled))
    #expect(world.read("token", given: .passcode) == .secrets(["old"]))
  }

  @Test func `a policy that binds takes a generation, one that does not loses it`() throws {
    let world = try Self.bound("devicePasscode")
    let strict = try AccessControl(text: "biometryCurrentSet")
    #expect(
      world.ask(.update(item("token"), Changes(accessControl: strict)), .passcode) == .done)
    #expect(world.binding("token") == .live)
    #expect(world.read("token") == .asks([[.biometry]]))
    let open = try AccessControl()
    #expect(
      world.ask(.update(item("token"), Changes(accessControl: open)), .finger) == .done)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(world.read("token") == .secrets(["old"]))
    #expect(world.binding("token") == .unbound)
  }

  // MARK: Check again

  @Test func `an item that changed while a person was asked is not released`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence", secret: "old")
    let replace = {
      _ = try? world.add("token", "userPresence", secret: "new", replacing: true)
    }
    #expect(
      world.read("token", given: .change(replace), .finger) == .failed(.changedMeanwhile))
    let delete = { _ = world.ask(.delete(item("token"))) }
    #expect(
      world.read("token", given: .change(delete), .finger) == .failed(.changedMeanwhile))
  }

  @Test func `an item that changed meanwhile is not written over`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence", secret: "old")
    let replace = {
      _ = try? world.add("token", "userPresence", secret: "newer", replacing: true)
    }
    #expect(
      world.ask(Self.update, secrets: ["new"], .change(replace), .finger)
        == .failed(.changedMeanwhile))
    #expect(world.read("token", given: .finger) == .secrets(["newer"]))
  }

  @Test func `a subject that changed while a person was asked gets nothing`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    let change = { _ = world.host.changedProcesses.insert(1) }
    #expect(
      world.read("token", given: .change(change), .finger) == .failed(.changedMeanwhile))
    let control = try AccessControl(text: "userPresence")
    #expect(world.ask(.evaluate(control), .finger) == .failed(.changedMeanwhile))
  }

  @Test func `a subject that changed is not served by evidence that was kept`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    let read = Operation.read([item("token")])
    _ = world.ask(read, context: 7, .finger)
    world.host.changedProcesses.insert(1)
    #expect(world.ask(read, context: 7) == .failed(.changedMeanwhile))
  }

  @Test func `a session that was locked while a person was asked gets nothing`() throws {
    let world = try World()
    _ = try world.add("token", "userPresence")
    #expect(
      world.read("token", given: .change { world.host.isUnlocked = false }, .finger)
        == .failed(.locked))
  }
}
