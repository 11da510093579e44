import AccessControl
import Testing
import Vault
import Wire

/// Which requests a piece of evidence serves, each edge.
@Suite struct ScopeTests {
  static let asked = Answer.asks([[.biometry], [.devicePasscode]])
  static let token = Operation.read([item("token")])
  static let open = Answer.secrets(["secret of token"])

  static func world(_ policy: String = "userPresence", reuse: UInt32 = 0) throws -> World {
    let world = try World()
    _ = try world.add("token", policy, reuse: reuse)
    return world
  }

  // MARK: The request itself

  @Test func `evidence of one request serves no other`() throws {
    let world = try Self.world()
    #expect(world.ask(Self.token, .finger) == Self.open)
    #expect(world.ask(Self.token) == Self.asked)
  }

  // MARK: An explicit context

  @Test(arguments: [(0, true), (1, true), (299, true), (300, true), (301, false), (3600, false)])
  func `a context serves its connection for 300 seconds`(seconds: Int, serves: Bool) throws {
    let world = try Self.world()
    #expect(world.ask(Self.token, context: 7, .finger) == Self.open)
    world.host.wait(seconds: UInt64(seconds))
    #expect(world.ask(Self.token, context: 7) == (serves ? Self.open : Self.asked))
  }

  @Test func `evidence from before the clock does not serve`() throws {
    let world = try Self.world()
    _ = world.ask(Self.token, context: 7, .finger)
    world.host.uptime -= 1
    #expect(world.ask(Self.token, context: 7) == Self.asked)
  }

  @Test func `using a context does not prolong it`() throws {
    let world = try Self.world()
    _ = world.ask(Self.token, context: 7, .finger)
    world.host.wait(seconds: 200)
    #expect(world.ask(Self.token, context: 7) == Self.open)
    world.host.wait(seconds: 101)
    #expect(world.ask(Self.token, context: 7) == Self.asked)
  }

  @Test func `a context serves neither another context nor a request without one`() throws {
    let world = try Self.world()
    _ = world.ask(Self.token, context: 7, .finger)
    #expect(world.ask(Self.token, context: 8) == Self.asked)
    #expect(world.ask(Self.token) == Self.asked)
    #expect(world.ask(Self.token, context: 7) == Self.open)
  }

  @Test func `a context of another connection is another context`() throws {
    let world = try Self.world()
    _ = world.ask(Self.token, context: 7, .finger)
    world.caller = PendingOperation.Caller(connection: 2, subject: World.alice)
    #expect(world.ask(Self.token, context: 7) == Self.asked)
  }

  @Test func `a context ends with its connection`() throws {
    let world = try Self.world()
    _ = world.ask(Self.token, context: 7, .finger)
    world.vault.end(connection: 1)
    #expect(world.ask(Self.token, context: 7) == Self.asked)
  }

  @Test func `an invalidated context serves nothing ever again`() throws {
    let world = try Self.world()
    _ = try world.add("free")
    _ = world.ask(Self.token, context: 7, .finger)
    world.vault.invalidate(context: 7, connection: 1)
    #expect(world.ask(Self.token, context: 7) == .failed(.invalidContext))
    #expect(world.ask(.read([item("free")]), context: 7) == .failed(.invalidContext))
    #expect(world.ask(Self.token, context: 8) == Self.asked)
    #expect(world.ask(Self.token, context: 0) == Self.asked)
  }

  @Test func `invalidating a context ends the request that waits in it`() throws {
    let world = try Self.world()
    #expect(
      world.ask(
        Self.token, context: 7,
        .change { world.vault.invalidate(context: 7, connection: 1) }, .finger)
        == .failed(.invalidContext))
  }

  @Test func `invalidating without end invalidates every context of the connection`() throws {
    let world = try Self.world()
    for number in 1...2000 as ClosedRange<UInt32> {
      world.vault.invalidate(context: number, connection: 1)
    }
    #expect(world.ask(Self.token, context: 5000) == .failed(.invalidContext))
    #expect(world.ask(Self.token) == Self.asked)
    world.caller = PendingOperation.Caller(connection: 2, subject: World.alice)
    #expect(world.ask(Self.token, context: 5000) == Self.asked)
  }

  @Test func `a context gathers the factors of an “and” one after the other`() throws {
    let world = try Self.world("biometryAny & devicePasscode")
    #expect(world.ask(Self.token, context: 7, .finger) == .asks([[.devicePasscode]]))
    #expect(world.ask(Self.token, context: 7) == .asks([[.devicePasscode]]))
    #expect(world.ask(Self.token, context: 7, .passcode) == Self.open)
    #expect(world.ask(Self.token, context: 7) == Self.open)
  }

  @Test func `what an evaluation proved serves the reads of its context`() throws {
    let world = try Self.world()
    let control = try AccessControl(text: "userPresence")
    #expect(world.ask(.evaluate(control), context: 7, .finger) == .done)
    #expect(world.ask(Self.token, context: 7, interaction: false) == Self.open)
    #expect(world.ask(.evaluate(control), context: 7, interaction: false) == .done)
  }

  // MARK: Reuse

  @Test(
    arguments: [
      // The gathering request, the item, the later request, seconds between, and whether it serves.
      (300, 300, 300, 300, true), (300, 300, 300, 301, false),
      (60, 300, 300, 60, true), (60, 300, 300, 61, false),
      (300, 60, 300, 60, true), (300, 60, 300, 61, false),
      (300, 300, 60, 60, true), (300, 300, 60, 61, false),
      (0, 300, 300, 0, false), (300, 0, 300, 0, false), (300, 300, 0, 0, false),
    ])
  func `reuse takes the prompt, the item and the asking request`(
    gathering: Int, itemLimit: Int, asking: Int, seconds: Int, serves: Bool
  ) throws {
    let world = try Self.world(reuse: UInt32(itemLimit))
    #expect(world.ask(Self.token, reuse: UInt32(gathering), .finger) == Self.open)
    world.host.wait(seconds: UInt64(seconds))
    #expect(
      world.ask(Self.token, reuse: UInt32(asking)) == (serves ? Self.open : Self.asked))
  }

  @Test func `the prompt says the smallest limit of its items, and no more is kept`() throws {
    let world = try Self.world(reuse: 300)
    _ = try world.add("short", "userPresence", reuse: 10)
    guard
      case .gather(let gathering, let pending) = world.begin(
        .read([item("token"), item("short")]), reuse: 300)
    else {
      Issue.record("nobody was asked")
      return
    }
    #expect(gathering.reuse == 10)
    _ = world.vault.resume(pending, .verified(.biometry))
    world.host.wait(seconds: 10)
    #expect(world.ask(Self.token, reuse: 300) == Self.open)
    world.host.wait(seconds: 1)
    #expect(world.ask(Self.token, reuse: 300) == Self.asked)
  }

  @Test func `an item that allows no reuse is asked for although another does`() throws {
    let world = try Self.world(reuse: 300)
    _ = try world.add("strict", "userPresence")
    _ = world.ask(Self.token, reuse: 300, .finger)
    #expect(world.ask(Self.token, reuse: 300) == Self.open)
    #expect(world.ask(.read([item("strict")]), reuse: 300) == Self.asked)
  }

  @Test(
    arguments: [
      ("the same place", World.subject(user: 1000, "alice", process: 9), true),
      ("another session", World.subject(user: 1000, "alice", session: "c2"), false),
      ("another terminal", World.subject(user: 1000, "alice", terminal: 34818), false),
    ])
  func `reuse holds for one login session and terminal, on any connection`(
    name: String, subject: Subject, serves: Bool
  ) throws {
    let world = try Self.world(reuse: 300)
    _ = world.ask(Self.token, reuse: 300, .finger)
    world.caller = PendingOperation.Caller(connection: 2, subject: subject)
    #expect(world.ask(Self.token, reuse: 300) == (serves ? Self.open : Self.asked))
  }

  @Test func `reuse does not cross users`() throws {
    let world = try Self.world(reuse: 300)
    _ = world.ask(Self.token, reuse: 300, .finger)
    world.caller = PendingOperation.Caller(
      connection: 2, subject: World.subject(user: 1001, "bob"))
    _ = try world.add("token", "userPresence", reuse: 300)
    #expect(world.ask(Self.token, reuse: 300) == Self.asked)
  }

  @Test func `a prompt says that an act in a context serves again, and how long any act does`()
    throws
  {
    let world = try Self.world(reuse: 60)
    func told(_ operation: Operation, context: UInt32, reuse: UInt32) throws -> UInt32? {
      let step = world.begin(operation, context: context, reuse: reuse)
      guard case .gather(let gathering, _) = step else { return nil }
      // What was not wished for serves the context alone.
      #expect(gathering.reusesInContext == (context != 0 && reuse == 0))
      return gathering.reuse
    }
    for operation in [Self.token, .evaluate(try AccessControl(text: "userPresence"))] {
      #expect(try told(operation, context: 0, reuse: 0) == 0)
      #expect(try told(operation, context: 0, reuse: 30) == 30)
      #expect(try told(operation, context: 7, reuse: 0) == 300)
      #expect(try told(operation, context: 7, reuse: 30) == 300)
    }
  }

  // MARK: What ends both

  @Test func `a suspend ends the contexts and reuse of everyone`() throws {
    let world = try Self.world(reuse: 300)
    _ = world.ask(Self.token, context: 7, reuse: 300, .finger)
    world.vault.endReuse(user: nil)
    #expect(world.ask(Self.token, context: 7) == Self.asked)
    #expect(world.ask(Self.token, reuse: 300) == Self.asked)
  }

  @Test func `a lock ends contexts and reuse, of that user alone`() throws {
    let world = try Self.world(reuse: 300)
    _ = world.ask(Self.token, context: 7, reuse: 300, .finger)
    world.vault.endReuse(user: 1001)
    #expect(world.ask(Self.token, context: 7) == Self.open)
    #expect(world.ask(Self.token, reuse: 300) == Self.open)
    world.vault.endReuse(user: 1000)
    #expect(world.ask(Self.token, context: 7) == Self.asked)
    #expect(world.ask(Self.token, reuse: 300) == Self.asked)
    // The context itself lives on, with nothing in it.
    #expect(world.ask(Self.token, context: 7, .finger) == Self.open)
  }

  enum NewGeneration: CaseIterable {
    case added, updated, rearmed, endedByRead, endedByList, endedByWatch, endNotWritten
  }

  @Test(arguments: NewGeneration.allCases)
  func `a new generation and the end of one end contexts and reuse`(way: NewGeneration) throws {
    let world = try Self.world(reuse: 300)
    _ = try world.add("plain")
    if way != .added, way != .updated {
      _ = try world.add("bound", "biometryCurrentSet | devicePasscode")
    }
    _ = world.ask(Self.token, context: 7, reuse: 300, .passcode)
    #expect(world.ask(Self.token, context: 7) == Self.open)
    if way != .added, way != .updated { world.enrollment.enroll(.leftThumb, of: "alice") }
    switch way {
    case .added: #expect(try world.add("bound", "biometryCurrentSet") == .done)
    case .updated:
      let changes = Changes(accessControl: try AccessControl(text: "biometryCurrentSet"))
      #expect(world.ask(.update(item("plain"), changes)) == .done)
    case .rearmed: #expect(world.ask(.rearm(item("bound")), .passcode) == .done)
    case .endedByRead: _ = world.read("bound")
    case .endedByList: _ = world.ask(.list(Query()))
    case .endedByWatch: #expect(world.look().count == 1)
    case .endNotWritten:
      world.storage.fail(.generationSlot)
      _ = world.read("bound")
    }
    #expect(world.ask(Self.token, context: 7) == Self.asked)
    #expect(world.ask(Self.token, reuse: 300) == Self.asked)
  }

  @Test func `a finger of the context's evidence proves nothing about a later generation`() throws {
    let world = try Self.world("biometryCurrentSet")
    _ = world.ask(Self.token, context: 7, .finger)
    #expect(world.ask(Self.token, context: 7) == Self.open)
    #expect(try world.add("token", "biometryCurrentSet", replacing: true) == .done)
    #expect(world.ask(Self.token, context: 7) == Self.open)
    world.enrollment.enroll(.leftThumb, of: "alice")
    #expect(try world.add("token", "biometryCurrentSet", replacing: true) == .done)
    #expect(world.ask(Self.token, context: 7) == .asks([[.biometry]]))
  }
}
