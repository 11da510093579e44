import AccessControl
import ScriptedServer
import SecretMemory
import Testing
import WhorlKit
import Wire

@Suite struct HostileServerTests {
  static let scripts: [(String, [ScriptedServer.Step])] = [
    ("closes at once", [.close]),
    ("closes after the hello", [.receive, .send(.hello(version: 1)), .close]),
    ("another version", [.receive, .send(.hello(version: 2)), .untilClosed]),
    ("no hello", [.receive, .send(.done(.secrets(count: 0))), .untilClosed]),
    ("two hellos", .greeting + [.send(.hello(version: 1)), .untilClosed]),
    ("an empty frame", .greeting + [.raw([0, 0, 0, 0, 0]), .untilClosed]),
    ("a giant message", .greeting + [.raw([0x7f, 0xff, 0xff, 0xff, 3]), .untilClosed]),
    ("a giant secret", .greeting + [.raw([0, 0x10, 0, 2, 0xff]), .untilClosed]),
    ("an unknown message", .greeting + [.raw([0, 0, 0, 1, 0x77]), .untilClosed]),
    ("a cut message", .greeting + [.raw([0, 0, 0, 9, 3, 2]), .close]),
    ("a cut secret", .greeting + [.raw([0, 0, 0, 9, 0xff, 2]), .close]),
    ("no secret", .greeting + [.send(.done(.secrets(count: 1))), .untilClosed]),
    (
      "a secret too few",
      .greeting + [.secret([1]), .send(.done(.secrets(count: 2))), .untilClosed]
    ),
    (
      "a secret too many",
      .greeting + [.secret([1]), .secret([2]), .send(.done(.secrets(count: 1))), .untilClosed]
    ),
    (
      "more secrets than asked for",
      .greeting + [.secret([1]), .secret([2]), .send(.done(.secrets(count: 2))), .untilClosed]
    ),
    ("another reply", .greeting + [.send(.done(.done)), .untilClosed]),
    ("a flood of secrets", .greeting + Array(repeating: .secret([1]), count: 100) + [.untilClosed]),
  ]

  @Test(arguments: scripts.indices)
  func `a hostile server gets no further than an error`(index: Int) throws {
    let (name, script) = Self.scripts[index]
    let keychain = Keychain(transport: PairTransport(server: ScriptedServer(script)))
    let error = #expect(throws: KeychainError.self, "\(name)") {
      () throws -> SecretBytes in try keychain.read(token)
    }
    #expect(error?.problem != nil, "\(name)")
  }

  @Test func `a list that goes backwards ends`() throws {
    let row = ItemRow(
      row: 1, identity: token, attributes: Attributes(), accessControl: try AccessControl(),
      created: 0, modified: 0, isInvalidated: false)
    let page = ScriptedServer.Step.send(.done(.items([row])))
    let server = ScriptedServer(.greeting + [page, .receive, page, .untilClosed])
    let keychain = Keychain(transport: PairTransport(server: server))
    let error = #expect(throws: KeychainError.self) { try keychain.list() }
    #expect(error?.problem == .malformed)
  }

  @Test func `steps for another prompt reach nobody`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1)), .receive, .send(.step(.armed(prompt: 2))),
        .send(.step(.notice(prompt: 2, Notice(.noMatch)))), .send(.done(.done)), .untilClosed,
      ])
    let prompter = ScriptedPrompter(.nothing)
    try Keychain(transport: PairTransport(server: server), prompter: prompter)
      .update(token, Changes())
    #expect(!prompter.log.contains("armed"))
    #expect(!prompter.log.contains { $0.hasPrefix("notice") })
  }

  @Test func `a prompt sent to a request without interaction is refused`() throws {
    let server = ScriptedServer(.greeting + [.send(prompt(1)), .receive, .untilClosed])
    let keychain = Keychain(transport: PairTransport(server: server))
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try keychain.read(token)
    }
    #expect(error?.code == .interactionNotAllowed)
    #expect(server.messages.last == .giveUp(.interactionNotAllowed))
  }
}
