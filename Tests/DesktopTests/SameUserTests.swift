import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// A program of the account cannot get the login secret, plant one, or say that somebody logged in.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class SameUserTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    _ = try desktop.keyring("enable")
  }

  private static let client = """
    import socket, sys
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(10)
    peer.connect(sys.argv[1])
    for part in sys.argv[2:]:
        peer.sendall(bytes.fromhex(part))
    answer = b''
    try:
        while True:
            head = peer.recv(4)
            if len(head) < 4: break
            body = peer.recv(int.from_bytes(head, 'big'))
            print(body.hex(), flush=True)
            if body[0] in (3, 4): break
            if body[:2] == b'\\x02\\x02':
                peer.sendall(bytes([0, 0, 0, 5, 3]) + body[2:6])
    except OSError: pass
    """

  private func words(_ login: Login, secret: String? = nil) -> [String] {
    var parts = [FrameHeader.frame(ClientMessage.hello(ClientHello()).encoded)]
    if let secret {
      parts.append(FrameHeader(secretCount: secret.utf8.count).encoded + Array(secret.utf8))
    }
    parts.append(FrameHeader.frame(ClientMessage.request(Request(.login(login))).encoded))
    return ["/usr/bin/python3", "-c", Self.client, host.socket]
      + parts.map { $0.map { String(format: "%02x", $0) }.joined() }
  }

  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { String(format: "%02x", $0) }.joined()
  }

  /// What a program of the account is answered last.
  private func ask(_ login: Login, secret: String? = nil, user: uid_t? = Desktop.user) throws
    -> ServerMessage
  {
    let result = try host.run(words(login, secret: secret), user: user)
    return try answer(result.output)
  }

  private func answer(_ output: String) throws -> ServerMessage {
    let line = try #require(output.split(separator: "\n").last.map(Array.init), "no answer")
    return try ServerMessage(
      stride(from: 0, to: line.count, by: 2).map {
        UInt8(String(line[$0...($0 + 1)]), radix: 16) ?? 0
      })
  }

  private func login(_ step: Login.Step, user: String = Desktop.name, secret: Bool = false) -> Login
  {
    Login(step, user: Array(user.utf8), service: Array("gdm".utf8), wantsSecret: secret)
  }

  @Test func `it cannot plant a secret, nor say that somebody logged in`() throws {
    for step in Login.Step.allCases where step != .verify {
      let secret = step.bringsSecret ? desktop.password : nil
      #expect(
        try ask(login(step), secret: secret) == .failed(Failure(.notPermitted)), "\(step)")
    }
    #expect(try desktop.keyring("status").contains("waiting"))
    // Root may.
    #expect(
      try ask(login(.capture), secret: desktop.password, user: nil) == .done(.done))
    try desktop.waitForState("on: a touch")
  }

  @Test func `a password that is wrong is not kept, whoever hands it over`() throws {
    #expect(try ask(login(.capture), secret: "guess", user: nil) == .done(.done))
    // The right one comes after it, and is checked after it.
    #expect(try ask(login(.capture), secret: "guess again", user: nil) == .done(.done))
    usleep(2_500_000)
    #expect(try desktop.keyring("status").contains("waiting"))
  }

  @Test func `it gets yes or no for itself, and no secret`() throws {
    try desktop.logInByPassword()
    try desktop.waitForState("on: a touch")
    try host.addSession("c1", user: Desktop.user, name: Desktop.name)
    try host.setProperties([("Active", .bool(false))], of: "g1")
    let program = try host.terminal(
      program: words(login(.verify, secret: true)), user: Desktop.user)
    try host.scan("alice")
    #expect(try program.status() == 0)
    #expect(try answer(program.output) == .done(.done))
    #expect(!program.output.contains(hexadecimal(desktop.password)))
    // Root gets it, after the same act.
    let asked = try host.terminal(program: words(login(.verify, secret: true)), user: nil)
    try desktop.touch("alice")
    #expect(try asked.status() == 0)
    #expect(try answer(asked.output) == .done(.secrets(count: 1)))
    #expect(asked.output.contains(hexadecimal(desktop.password)))
  }

  @Test func `it cannot ask for another account`() throws {
    for user in ["root", "tester", "", "nobody"] {
      #expect(
        try ask(login(.verify, user: user, secret: true)) == .failed(Failure(.notPermitted)))
    }
  }

  @Test func `no request of its own names the secret`() throws {
    try desktop.logInByPassword()
    try desktop.waitForState("on: a touch")
    #expect(try host.whorl(["list"], user: Desktop.user).output.isEmpty)
    for name in ["login", "whorl login secret"] {
      #expect(try host.whorl(["read", name], user: Desktop.user).status == 44)
      #expect(try host.whorl(["rm", name], user: Desktop.user).status == 44)
    }
    #expect(try desktop.keyring("status").hasPrefix("on: a touch"))
  }
}
