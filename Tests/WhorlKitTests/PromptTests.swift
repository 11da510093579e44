import AccessControl
import ScriptedServer
import SecretMemory
import Testing
import WhorlKit
import Wire

@Suite struct PromptTests {
  private func keychain(_ server: ScriptedServer, _ prompter: any Prompter) -> Keychain {
    Keychain(transport: PairTransport(server: server), prompter: prompter)
  }

  @Test func `a prompt is shown, then acknowledged, and a touch ends it`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(.step(.queued(program: bytes("/bin/y"), item: bytes("other")))), .send(prompt(4)),
        .receive, .send(.step(.armed(prompt: 4))), .pause(milliseconds: 20),
        .secret(bytes("s")), .send(.done(.secrets(count: 1))), .untilClosed,
      ])
    let prompter = ScriptedPrompter(.nothing)
    #expect(text(try keychain(server, prompter).read(token)) == "s")
    #expect(
      prompter.log
        == [
          "queued \"/bin/y\" \"other\"", "show 4 [Wire.Factor]", "armed", "end",
        ].map { $0.replacing("[Wire.Factor]", with: "\([Factor.biometry, .devicePasscode])") })
    #expect(server.messages.last == .shown(prompt: 4))
  }

  @Test func `a typed password is a secret frame before its answer; a wrong one may be repeated`()
    throws
  {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1)), .receive, .receive,
        .send(.step(.notice(prompt: 1, Notice(.wrongPasscode, seconds: 2)))), .receive,
        .secret(bytes("s")), .send(.done(.secrets(count: 1))), .untilClosed,
      ])
    let prompter = ScriptedPrompter(
      .type(.devicePasscode, "wrong"), .type(.devicePasscode, "right"))
    #expect(text(try keychain(server, prompter).read(token)) == "s")
    #expect(server.secrets == [bytes("wrong"), bytes("right")])
    #expect(
      server.messages.suffix(3) == [
        .shown(prompt: 1), .answer(prompt: 1, .devicePasscode), .answer(prompt: 1, .devicePasscode),
      ])
    #expect(prompter.log.contains("notice wrongPasscode 2"))
  }

  @Test func `an answer to a factor that was not asked for is not sent`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1, [.biometry])), .receive, .pause(milliseconds: 20), .send(.done(.done)),
        .untilClosed,
      ])
    let prompter = ScriptedPrompter(.type(.devicePasscode, "typed"))
    try keychain(server, prompter).update(token, Changes())
    #expect(server.secrets == [])
  }

  @Test func `what was typed for an earlier prompt is no answer to the next`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(7)), .receive, .receive, .secret(bytes("s")),
        .send(.done(.secrets(count: 1))), .untilClosed,
      ])
    let prompter = ScriptedPrompter(
      .typeLate(.devicePasscode, "old"), .type(.devicePasscode, "new"))
    #expect(text(try keychain(server, prompter).read(token)) == "s")
    #expect(server.secrets == [bytes("new")])
  }

  @Test func `a cancel by the person is sent, and what is still released is dropped`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1)), .receive, .receive, .secret(bytes("s")),
        .send(.done(.secrets(count: 1))), .receive, .send(.done(.done)), .untilClosed,
      ])
    let prompter = ScriptedPrompter(.cancel)
    let keychain = keychain(server, prompter)
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try keychain.read(token)
    }
    #expect(error?.code == .cancelled)
    #expect(error?.cause == .userCancel)
    #expect(server.messages.last == .cancel)
    #expect(prompter.log.last == "end")
    // The connection was answered, so it serves the next request.
    try keychain.delete(token)
  }

  @Test func `a prompt that cannot be shown is never acknowledged`() throws {
    let server = ScriptedServer(.greeting + [.send(prompt(1)), .receive, .untilClosed])
    let keychain = keychain(server, ScriptedPrompter(.cannotShow))
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try keychain.read(token)
    }
    #expect(error?.code == .interactionNotAllowed)
    #expect(!server.messages.contains(.shown(prompt: 1)))
    #expect(server.messages.last == .giveUp(.interactionNotAllowed))
  }

  @Test func `without a prompter a request does not allow interaction`() throws {
    let server = ScriptedServer(
      .greeting + [.send(.failed(Failure(.interactionNotAllowed))), .untilClosed])
    let keychain = keychain(server, NoPrompter())
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try keychain.read(token)
    }
    #expect(error?.cause == .notInteractive)
    #expect(
      server.messages.last == .request(Request(.read([token]), allowsInteraction: false)))
  }

  @Test func `the credential of a context answers the item's own password, once, without a person`()
    throws
  {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1, [.applicationPassword])), .receive, .receive,
        .send(.step(.notice(prompt: 1, Notice(.wrongApplicationPassword)))),
        .send(prompt(2, [.applicationPassword])), .receive, .untilClosed,
      ])
    let context = try AuthContext(keychain: keychain(server, NoPrompter()))
    context.applicationPassword = secret("own")
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try Keychain.shared.read(token, context: context)
    }
    #expect(error?.code == .interactionNotAllowed)
    #expect(server.secrets == [bytes("own")])
    #expect(
      server.messages.suffix(3) == [
        .shown(prompt: 1), .answer(prompt: 1, .applicationPassword),
        .giveUp(.interactionNotAllowed),
      ])
  }
}
