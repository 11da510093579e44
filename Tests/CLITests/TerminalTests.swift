import AccessControl
import Foundation
import Glibc
import ScriptedServer
import Testing
import Wire

@Suite(.serialized) struct TerminalTests {
  private static func prompt(
    _ factors: [Factor] = [.biometry, .devicePasscode], items: [String] = ["github/token"],
    reason: String = "", reuse: UInt32 = 0, reusesInContext: Bool = false,
    purpose: PromptPurpose = .release
  ) -> ScriptedServer.Step {
    .send(
      .step(
        .show(
          Prompt(
            id: 1, factors: factors, items: items.map(bytes), program: bytes("/usr/bin/whorl"),
            reason: bytes(reason), reuse: reuse, reusesInContext: reusesInContext,
            purpose: purpose))))
  }

  private static let question = "Touch the fingerprint reader, or type your password: "
  private static let release: [ScriptedServer.Step] = [
    .secret(bytes("the secret")), .send(.done(.secrets(count: 1))), .untilClosed,
  ]

  private func read(_ server: ScriptedServer) throws -> Program {
    try Program(["read", "github/token"], socket: server.listen(), hasTerminal: true)
  }

  @Test func `a touch opens while the prompt waits, and the prompt is on the terminal only`() throws
  {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(reason: "deploy\n", reuse: 60), .receive, .send(.step(.armed(prompt: 1))),
        .pause(milliseconds: 300),
      ] + Self.release)
    let program = try read(server)
    let shown = try #require(program.shows(Self.question))
    #expect(shown.contains("\"/usr/bin/whorl\" (unverified) asks for \"github/token\"."))
    #expect(shown.contains("It says: \"deploy\\u{a}\""))
    #expect(shown.contains("This also serves later requests for 60 seconds."))
    let result = program.wait()
    #expect(result.output == bytes("the secret"))
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test(
    arguments: [
      (.release, "asks for \"github/token\"."), (.change, "asks to change \"github/token\"."),
      (.rearm, "asks to bind \"github/token\" to your fingerprints as they are now."),
      (.use, "asks to use the key \"github/token\"."), (.other, "asks for \"github/token\"."),
    ] as [(PromptPurpose, String)])
  func `a prompt says what the act does, and for whom it does so again`(
    _ purpose: PromptPurpose, _ text: String
  ) throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(reuse: 300, reusesInContext: true, purpose: purpose), .receive,
        .send(.step(.armed(prompt: 1))), .pause(milliseconds: 100),
      ] + Self.release)
    let program = try read(server)
    let shown = try #require(program.shows(Self.question))
    #expect(shown.contains("\"/usr/bin/whorl\" (unverified) \(text)"))
    #expect(
      shown.contains("This also serves what the program asks for next, for 300 seconds at most."))
    #expect(program.wait().status == 0)
  }

  @Test func `a typed password is sent and not echoed, with its mistakes taken back`() throws {
    let server = ScriptedServer(.greeting + [Self.prompt(), .receive, .receive] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    #expect(!program.echoes)
    program.type("wrong\u{15}pasß\u{7f}\u{7f}ssw\u{7f}word\n")
    let result = program.wait()
    #expect(server.secrets == [bytes("password")])
    #expect(result.output == bytes("the secret"))
  }

  @Test func `a wrong password is told with its wait, and asked for again`() throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(), .receive, .receive,
        .send(.step(.notice(prompt: 1, Notice(.wrongPasscode, seconds: 1)))), .receive,
      ] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    program.type("wrong\n")
    let shown = try #require(program.shows(Self.question))
    #expect(shown.contains("Wrong password. The next one is tried after 1 second."))
    #expect(!shown.contains("wrong\r"))
    program.type("right\n")
    #expect(program.wait().output == bytes("the secret"))
    #expect(server.secrets == [bytes("wrong"), bytes("right")])
  }

  @Test func `a password that was not tried is not called wrong`() throws {
    let wait = ScriptedServer.Step.send(
      .step(.notice(prompt: 1, Notice(.passcodeNotTried, seconds: 42))))
    let server = ScriptedServer(
      .greeting + [Self.prompt(), .receive, wait, .receive, wait, .receive] + Self.release)
    let program = try read(server)
    let opened = try #require(program.shows("42 seconds.\r\n" + Self.question))
    #expect(opened.contains("\r\nPasswords are tried again in 42 seconds."))
    program.type("right\n")
    let answered = try #require(program.shows(Self.question))
    #expect(answered.contains("Not tried: passwords are tried again in 42 seconds."))
    program.type("right\n")
    #expect(program.wait().status == 0)
  }

  @Test func `enter alone is no try`() throws {
    let server = ScriptedServer(.greeting + [Self.prompt(), .receive, .receive] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    program.type("\n")
    _ = program.shows(Self.question)
    program.type("x\n")
    _ = program.wait()
    #expect(server.secrets == [bytes("x")])
  }

  @Test(arguments: ["\u{3}", "\u{4}"])
  func `Ctrl-C and the end of input exit 128, with echo back and the connection closed`(
    key: String
  ) throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(), .receive, .receive, .send(.failed(Failure(.cancelled))), .untilClosed,
      ])
    let program = try read(server)
    _ = program.shows(Self.question)
    program.type(key)
    // The terminal goes away with its last user; keep it to look at.
    #expect(server.waits { $0 == .message(.cancel) })
    #expect(server.waits { $0 == .closed })
    let result = program.wait()
    #expect(result.status == 128)
    #expect(result.output.isEmpty)
    #expect(result.errors == "whorl: \"github/token\": cancelled\n")
  }

  @Test func `Ctrl-C exits soon although the service does not answer, with echo back`() throws {
    let server = ScriptedServer(.greeting + [Self.prompt(), .receive, .pause(milliseconds: 5000)])
    let program = try read(server)
    _ = program.shows(Self.question)
    let start = Date()
    program.type("\u{3}")
    usleep(200_000)
    #expect(program.echoes)
    #expect(program.wait().status == 128)
    #expect(Date().timeIntervalSince(start) < 3)
  }

  @Test(arguments: [FailureCode.cancelled, .timedOut])
  func `a stopped program leaves echo on, and asks anew when it goes on`(end: FailureCode) throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(), .receive, .receive, .send(.failed(Failure(end))), .receive, Self.prompt(),
        .receive, .receive,
      ] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    // A session's leader has no shell to stop it by the key, so the signal is sent.
    program.signal(SIGTSTP)
    #expect(program.isStopped())
    #expect(program.echoes)
    program.signal(SIGCONT)
    let shown = try #require(program.shows(Self.question))
    #expect(shown.contains("asks for \"github/token\"."))
    #expect(!program.echoes)
    program.type("x\n")
    #expect(program.wait().status == 0)
    #expect(server.messages.filter { if case .request = $0 { true } else { false } }.count == 2)
  }

  @Test func `what a stop by any signal voided is asked anew`() throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(), .receive, .pause(milliseconds: 500), .send(.failed(Failure(.timedOut))),
        .receive, Self.prompt(), .receive, .receive,
      ] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    program.signal(SIGSTOP)
    #expect(program.isStopped())
    usleep(700_000)
    program.signal(SIGCONT)
    _ = try #require(program.shows(Self.question))
    program.type("x\n")
    #expect(program.wait().status == 0)
  }

  @Test func `what was released before a stop is used`() throws {
    let server = ScriptedServer(.greeting + [Self.prompt(), .receive, .receive] + Self.release)
    let program = try read(server)
    _ = program.shows(Self.question)
    program.signal(SIGTSTP)
    #expect(program.isStopped())
    program.signal(SIGCONT)
    let result = program.wait()
    #expect(result.status == 0)
    #expect(result.output == bytes("the secret"))
  }

  @Test func `TERM ends a stopped program once it goes on, without a question`() throws {
    let server = ScriptedServer(
      .greeting + [
        Self.prompt(), .receive, .receive, .send(.failed(Failure(.cancelled))), .untilClosed,
      ])
    let program = try read(server)
    _ = program.shows(Self.question)
    program.signal(SIGTSTP)
    #expect(program.isStopped())
    program.signal(SIGTERM)
    program.signal(SIGCONT)
    #expect(program.shows(Self.question) == nil)
    #expect(program.wait().status == 128)
  }

  @Test func `who waits is told which program and item a touch serves`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(.step(.queued(program: bytes("/bin/y\u{1b}"), item: bytes("other")))),
        .pause(milliseconds: 200), Self.prompt(), .receive,
      ] + Self.release)
    let program = try read(server)
    let shown = try #require(program.shows("first"))
    #expect(
      shown.contains("\"/bin/y\\u{1b}\" asks for \"other\" first: a touch now serves that."))
    #expect(!shown.contains("Touch the"))
    #expect(program.wait().output == bytes("the secret"))
  }

  @Test func `an act that releases several items names them all`() throws {
    let server = ScriptedServer(
      .greeting + [Self.prompt(items: ["a", "b\n", "c"]), .receive, .pause(milliseconds: 100)]
        + Self.release)
    let program = try read(server)
    let shown = try #require(program.shows(Self.question))
    #expect(shown.contains("asks for 3 items at once:\r\n  \"a\"\r\n  \"b\\u{a}\"\r\n  \"c\"\r\n"))
    _ = program.wait()
  }

  @Test func `a biometry-only prompt asks for no password, and sends none`() throws {
    let server = ScriptedServer(
      .greeting + [Self.prompt([.biometry]), .receive, .pause(milliseconds: 300)] + Self.release)
    let program = try read(server)
    _ = program.shows("Touch the fingerprint reader: ")
    program.type("typed\n")
    _ = program.wait()
    #expect(server.secrets == [])
  }

  @Test func `no-interaction never asks, even on a terminal`() throws {
    let server = ScriptedServer(
      .greeting + [.send(.failed(Failure(.interactionNotAllowed))), .untilClosed])
    let program = try Program(
      ["read", "--no-interaction", "x"], socket: server.listen(), hasTerminal: true)
    #expect(program.wait().status == 36)
    guard case .request(let request) = server.messages.last else {
      Issue.record("no request")
      return
    }
    #expect(!request.allowsInteraction)
  }
}
