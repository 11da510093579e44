import AccessControl
import Foundation
import ScriptedServer
import SecretMemory
import Testing
import WhorlKit
import Wire

@Suite struct ContextTests {
  private func keychain(_ server: ScriptedServer, _ prompter: any Prompter) -> Keychain {
    Keychain(transport: PairTransport(server: server), prompter: prompter)
  }

  @Test func `the requests of a context name it, on one connection of its own`() throws {
    let server = ScriptedServer(
      .greeting + [.send(.done(.done)), .receive, .send(.done(.done)), .untilClosed])
    let context = try AuthContext(keychain: keychain(server, ScriptedPrompter()))
    context.reason = bytes("sign in")
    context.reuse = 1000
    let control = try AccessControl(text: "userPresence")
    try context.evaluate(control)
    context.interactionNotAllowed = true
    try context.evaluate(control)
    #expect(
      server.messages == [
        .hello(ClientHello()),
        .request(
          Request(.evaluate(control), context: 1, reuse: 300, reason: bytes("sign in"))),
        .request(
          Request(
            .evaluate(control), context: 1, allowsInteraction: false, reuse: 300,
            reason: bytes("sign in"))),
      ])
  }

  @Test func `invalidate ends a thread that waits in a prompt, and every later request`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1)), .receive, .receive, .send(.failed(Failure(.cancelled))), .untilClosed,
      ])
    let prompter = ScriptedPrompter(.nothing)
    let context = try AuthContext(keychain: keychain(server, prompter))
    Thread.detachNewThread {
      _ = server.waits { $0 == .message(.shown(prompt: 1)) }
      context.invalidate()
      context.invalidate()
    }
    let first = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try Keychain.shared.read(token, context: context)
    }
    #expect(first?.cause == .appCancel)
    let second = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try Keychain.shared.read(token, context: context)
    }
    #expect(second?.code == .invalidContext)
    #expect(server.waits { $0 == .closed })
    #expect(prompter.log.last == "end")
  }

  @Test func `a cancel ends the request that runs and no later one`() throws {
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(1)), .receive, .receive, .send(.failed(Failure(.cancelled))), .receive,
        .send(.done(.done)), .untilClosed,
      ])
    let context = try AuthContext(keychain: keychain(server, ScriptedPrompter(.nothing)))
    Thread.detachNewThread {
      _ = server.waits { $0 == .message(.shown(prompt: 1)) }
      context.cancel()
    }
    let error = #expect(throws: KeychainError.self) {
      () throws -> SecretBytes in try Keychain.shared.read(token, context: context)
    }
    #expect(error?.code == .cancelled)
    try Keychain.shared.delete(token, context: context)
  }

  @Test func `a cancelled task ends its request in bounded time, also when nobody answers`()
    async throws
  {
    let server = ScriptedServer(.greeting + [.send(prompt(1)), .untilClosed])
    let context = try AuthContext(keychain: keychain(server, ScriptedPrompter(.nothing)))
    let task = Task { () async throws -> SecretBytes in try await context.read(token) }
    // Other tests may hold the pool's threads for a while.
    for _ in 0..<400 where server.messages.last != .shown(prompt: 1) {
      try await Task.sleep(for: .milliseconds(50))
    }
    let start = Date()
    task.cancel()
    await #expect(throws: KeychainError.self) { () async throws -> SecretBytes in
      try await task.value
    }
    #expect(Date().timeIntervalSince(start) < 3)
    #expect(server.waits { $0 == .message(.cancel) })
  }

  @Test func `the async form gives what the blocking one gives`() async throws {
    let server = ScriptedServer(
      .greeting + [.secret(bytes("s")), .send(.done(.secrets(count: 1))), .untilClosed])
    let context = try AuthContext(keychain: keychain(server, NoPrompter()))
    #expect(text(try await context.read(token)) == "s")
  }
}
