import AccessControl
import Foundation
import ScriptedServer
import SecretMemory
import Testing
import WhorlKit
import Wire

@Suite struct RequestTests {
  private func keychain(_ server: ScriptedServer, _ prompter: any Prompter = NoPrompter())
    -> Keychain
  {
    Keychain(transport: PairTransport(server: server), prompter: prompter)
  }

  @Test func `a read gives the secret, on a connection that serves the next`() throws {
    let server = ScriptedServer(
      .greeting + [
        .secret(bytes("one")), .send(.done(.secrets(count: 1))), .receive,
        .secret(bytes("two")), .send(.done(.secrets(count: 1))), .untilClosed,
      ])
    let keychain = keychain(server)
    #expect(text(try keychain.read(token)) == "one")
    #expect(text(try keychain.read(token)) == "two")
    #expect(
      server.messages == [
        .hello(ClientHello()), .request(Request(.read([token]), allowsInteraction: false)),
        .request(Request(.read([token]), allowsInteraction: false)),
      ])
  }

  @Test func `several secrets come in order from one request`() throws {
    let server = ScriptedServer(
      .greeting + [
        .secret(bytes("a")), .secret([]), .secret(bytes("c")), .send(.done(.secrets(count: 3))),
      ])
    let secrets = try keychain(server).read([token, token, token])
    #expect(secrets.map(text) == ["a", "", "c"])
  }

  @Test(arguments: [0, 1, 4090, 4091, 4092, 4096, 5000, 1024 * 1024])
  func `a secret of any length arrives whole`(count: Int) throws {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = ScriptedServer(
      .greeting + [.secret(value), .send(.done(.secrets(count: 1))), .untilClosed])
    let secret = try keychain(server).read(token)
    #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == value)
  }

  @Test func `a stream cut into single bytes is read the same`() throws {
    let frames =
      FrameHeader.frame(ServerMessage.hello(version: 1).encoded)
      + FrameHeader(secretCount: 3).encoded + bytes("abc")
      + FrameHeader.frame(ServerMessage.done(.secrets(count: 1)).encoded)
    let server = ScriptedServer(
      [.receive] + frames.flatMap { [.raw([$0]), .pause(milliseconds: 1)] })
    #expect(text(try keychain(server).read(token)) == "abc")
  }

  @Test func `an add sends the application password, the secret, then the request`() throws {
    let server = ScriptedServer(.greeting + [.send(.done(.done)), .untilClosed])
    let item = NewItem(
      identity: token, attributes: Attributes(),
      accessControl: try AccessControl(text: "none + applicationPassword"))
    try keychain(server).add(item, secret: secret("s"), applicationPassword: secret("p"))
    #expect(
      server.received.filter { $0 != .closed } == [
        .message(.hello(ClientHello())), .secret(bytes("p")), .secret(bytes("s")),
        .message(.request(Request(.add(item, replacing: false), allowsInteraction: false))),
      ])
  }

  @Test func `an add without the application password it needs is not sent`() throws {
    let server = ScriptedServer([.untilClosed])
    let item = NewItem(
      identity: token, attributes: Attributes(),
      accessControl: try AccessControl(text: "none + applicationPassword"))
    let keychain = keychain(server)
    let error = #expect(throws: KeychainError.self) { try keychain.add(item, secret: secret("s")) }
    #expect(error?.code == .badParameter)
    #expect(server.received == [])
  }

  @Test func `a list follows the pages to their end`() throws {
    func row(_ number: UInt64) throws -> ItemRow {
      ItemRow(
        row: number, identity: token, attributes: Attributes(),
        accessControl: try AccessControl(), created: 0, modified: 0, isInvalidated: false)
    }
    let server = ScriptedServer(
      .greeting + [
        .send(.done(.items([try row(1), try row(5)]))), .receive,
        .send(.done(.items([try row(9)]))), .receive, .send(.done(.items([]))), .untilClosed,
      ])
    #expect(try keychain(server).list().map(\.row) == [1, 5, 9])
    #expect(
      server.messages.last == .request(Request(.list(Query(after: 9)), allowsInteraction: false)))
  }

  @Test(arguments: FailureCode.allCases)
  func `a failure keeps its code and has Apple's`(code: FailureCode) throws {
    let server = ScriptedServer(
      .greeting + [.send(.failed(Failure(code, detail: bytes("x")))), .untilClosed])
    let keychain = keychain(server)
    let error = #expect(throws: KeychainError.self) { try keychain.delete(token) }
    #expect(error?.code == code)
    #expect(error?.detail == bytes("x"))
    #expect(error?.status != 0)
    #expect(error?.problem == nil)
  }

  @Test func `every authentication that does not succeed is Apple's one code, and says why`() {
    for (code, cause) in [
      (FailureCode.lockout, AuthenticationCause.biometryLockout),
      (.notEnrolled, .biometryNotEnrolled), (.noReader, .biometryNotAvailable),
      (.passcodeNotSet, .passcodeNotSet), (.authenticationFailed, .authenticationFailed),
      (.invalidContext, .invalidContext),
    ] {
      #expect(KeychainError(code).status == -25293)
      #expect(KeychainError(code).cause == cause)
    }
    #expect(KeychainError(.cancelled).status == -128)
    #expect(KeychainError(.interactionNotAllowed).status == -25308)
    #expect(KeychainError(.interactionNotAllowed).cause == .notInteractive)
    #expect(KeychainError(.notFound).cause == nil)
  }

  @Test func `a connection that the service closed while idle is replaced`() throws {
    let server = ScriptedServer(
      .greeting + [.send(.done(.done)), .close], .greeting + [.send(.done(.done)), .untilClosed])
    let keychain = keychain(server)
    try keychain.delete(token)
    _ = server.waits { $0 == .closed }
    try keychain.delete(token)
    #expect(server.messages.count == 4)
  }

  @Test func `a connection that the service refused serves no other request`() throws {
    let server = ScriptedServer(
      [.receive, .send(.failed(Failure(.busy))), .close],
      .greeting + [.secret(bytes("two")), .send(.done(.secrets(count: 1))), .untilClosed])
    let keychain = keychain(server)
    #expect { try keychain.read(token) } throws: { ($0 as? KeychainError)?.code == .busy }
    #expect(text(try keychain.read(token)) == "two")
  }

  @Test func `two threads use two connections`() throws {
    let script: [ScriptedServer.Step] =
      .greeting + [.pause(milliseconds: 500), .send(.done(.done)), .untilClosed]
    let server = ScriptedServer(script, script)
    let keychain = keychain(server)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      Thread.detachNewThread {
        try? keychain.delete(token)
        done.signal()
      }
    }
    for _ in 0..<2 { #expect(done.wait(timeout: .now() + 5) == .success) }
    #expect(server.messages.filter { $0 == .hello(ClientHello()) }.count == 2)
  }

  @Test func `a socket that is not there is a problem of the connection`() {
    let keychain = Keychain(
      transport: SocketTransport(path: bytes("/nonexistent/s"), trustsAnyServer: true))
    let error = #expect(throws: KeychainError.self) { try keychain.status() }
    #expect(error?.problem == .noSocket(path: bytes("/nonexistent/s")))
    #expect(error?.code == .unavailable)
  }
}
