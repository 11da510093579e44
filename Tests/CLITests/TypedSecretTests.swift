import AccessControl
import Glibc
import ScriptedServer
import Testing
import Wire

/// Secrets that a person types, to be stored.
@Suite(.serialized) struct TypedSecretTests {
  /// An item that is not there yet, and then is stored.
  private static let adding: [ScriptedServer.Step] =
    .greeting + [
      .send(.failed(Failure(.notFound))), .receive, .send(.done(.done)), .untilClosed,
    ]

  @Test func `a line that is too long is not cut, but refused`() throws {
    let program = try Program(
      ["add", "x"], socket: ScriptedServer(Self.adding).listen(), hasTerminal: true)
    _ = program.shows("Secret of \"x\": ")
    program.type(String(repeating: "s", count: 1025) + "\n")
    let result = program.wait()
    #expect(result.status == 206)
    #expect(result.errors.contains("1024 bytes at most"))
  }

  @Test func `add asks again after a stop`() throws {
    let server = ScriptedServer(Self.adding)
    let program = try Program(["add", "x"], socket: server.listen(), hasTerminal: true)
    _ = program.shows("Secret of \"x\": ")
    program.type("hunt")
    program.signal(SIGTSTP)
    #expect(program.isStopped())
    program.signal(SIGCONT)
    _ = program.shows("Secret of \"x\": ")
    program.type("hunter2\n")
    _ = program.shows("The same again: ")
    program.type("hunter2\n")
    #expect(program.wait().status == 0)
    #expect(server.secrets == [bytes("hunter2")])
  }

  @Test func `add asks twice on a terminal, and refuses two that differ`() throws {
    for (second, status) in [("hunter2", 0), ("hunter3", 1)] as [(String, Int32)] {
      let server = ScriptedServer(Self.adding)
      let program = try Program(["add", "x"], socket: server.listen(), hasTerminal: true)
      _ = program.shows("Secret of \"x\": ")
      program.type("hunter2\n")
      _ = program.shows("The same again: ")
      program.type(second + "\n")
      #expect(program.wait().status == status)
      #expect(server.secrets == (status == 0 ? [bytes("hunter2")] : []))
    }
  }

  @Test func `Enter alone is refused at once, and with --empty asked for again`() throws {
    for (options, question) in [
      ([], "Secret of \"x\": "),
      (["--application-password"], "Password of the item itself: "),
    ] as [([String], String)] {
      let server = ScriptedServer(Self.adding)
      let program = try Program(
        ["add", "x"] + options, socket: server.listen(), hasTerminal: true)
      if !options.isEmpty {
        for question in ["Secret of \"x\": ", "The same again: "] {
          _ = program.shows(question)
          program.type("s\n")
        }
      }
      _ = program.shows(question)
      program.type("\n")
      let result = program.wait()
      #expect(result.status == 206)
      #expect(server.secrets == [])
    }
    let server = ScriptedServer(Self.adding)
    let program = try Program(["add", "x", "--empty"], socket: server.listen(), hasTerminal: true)
    for question in ["Secret of \"x\": ", "The same again: "] {
      _ = program.shows(question)
      program.type("\n")
    }
    #expect(program.wait().status == 0)
    #expect(server.secrets == [[]])
  }

  @Test func `add asks for no secret of an item that is there already`() throws {
    let row = ItemRow(
      row: 1, identity: ItemIdentity(group: bytes("whorl"), service: [], account: bytes("x")),
      attributes: Attributes(), accessControl: try AccessControl(text: "none"), created: 1,
      modified: 1, isInvalidated: false)
    let detail = ItemDetail(row: row, binding: .unbound, secretCount: 1)
    let server = ScriptedServer(.greeting + [.send(.done(.item(detail))), .untilClosed])
    let program = try Program(["add", "x"], socket: server.listen(), hasTerminal: true)
    let result = program.wait()
    #expect(result.status == 45)
    #expect(result.errors.contains("add --replace x"))
  }

  @Test func `add asks for no secret to be bound to fingerprints that are not there`() throws {
    let server = ScriptedServer(.greeting + [.send(.done(.domainState([]))), .untilClosed])
    let program = try Program(
      ["add", "--access", "biometryCurrentSet", "x"], socket: server.listen(), hasTerminal: true)
    #expect(program.wait().status == 249)
  }
}
