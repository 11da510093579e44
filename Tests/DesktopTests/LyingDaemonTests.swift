import AccessControl
import Foundation
import Glibc
import ScriptedServer
import TestHost
import Testing
import Wire

/// What the module does with a daemon that is not there, hangs, lies or belongs to somebody else:
/// the next line of the stack, soon, and never a pass.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class LyingDaemonTests {
  private static let service = "lying-daemon"
  private static let prompt = ServerMessage.step(
    .show(Prompt(id: 9, factors: [.biometry], items: [], program: [], reason: [], reuse: 0)))
  private static let asked = [ScriptedServer.Step].greeting + [.send(prompt), .receive]

  private let host: PrivateHost

  init() throws {
    host = try PrivateHost()
  }

  deinit { unlink("/etc/pam.d/\(Self.service)") }

  private struct Ending {
    let status: Int32
    let output: String
    let seconds: Double
  }

  /// A transaction in which only a touch lets anyone in.
  private func authenticate(
    _ socket: String, arguments: String = "timeout=2", prefix: [String] = [],
    user: String = "tester"
  ) throws -> Ending {
    try """
    auth sufficient \(Modules.whorl()) verify \(arguments) socket=\(socket)
    auth required pam_deny.so
    """.write(toFile: "/etc/pam.d/\(Self.service)", atomically: true, encoding: .utf8)
    let start = ContinuousClock.now
    let result = try host.run(
      prefix + ["/usr/bin/pamtester", Self.service, user, "authenticate"], seconds: 20)
    let time = ContinuousClock.now - start
    return Ending(
      status: result.status, output: result.output + result.error,
      seconds: Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18)
  }

  @Test func `a touch that the daemon saw is a pass`() throws {
    let server = ScriptedServer(
      Self.asked + [
        .send(.step(.armed(prompt: 9))), .send(.step(.notice(prompt: 9, Notice(.noMatch)))),
        .send(.done(.done)), .untilClosed,
      ])
    let ending = try authenticate(try server.listen())
    #expect(ending.status == 0, "\(ending.output)")
    #expect(
      ending.output.contains(
        "Touch the fingerprint reader\nThe finger was not recognized. Try again")
        || ending.output.contains("The finger was not recognized. Try again"))
    guard case .request(let request)? = server.messages.dropFirst().first,
      case .login(let login) = request.operation
    else {
      Issue.record("\(server.messages)")
      return
    }
    #expect(login.user == Array("tester".utf8))
    #expect(login.service == Array(Self.service.utf8))
    #expect(login.wantsSecret)
    #expect(server.messages.last == .shown(prompt: 9))
  }

  @Test func `a released secret becomes the password of the transaction`() throws {
    let server = ScriptedServer(
      Self.asked + [.secret(Array("sesame".utf8)), .send(.done(.secrets(count: 1))), .untilClosed])
    try """
    auth optional \(Modules.whorl()) verify socket=\(server.listen())
    auth required pam_unix.so use_first_pass
    account required pam_permit.so
    """.write(toFile: "/etc/pam.d/\(Self.service)", atomically: true, encoding: .utf8)
    let result = try host.run(["/usr/bin/pamtester", Self.service, "tester", "authenticate"])
    #expect(result.status == 0, "\(result.error)")
  }

  static let lies: [(String, [ScriptedServer.Step])] = [
    ("closes at once", [.close]),
    ("hears and is silent", [.receive, .receive, .untilClosed]),
    ("junk", [.raw(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .untilClosed]),
    ("zeros", [.raw([UInt8](repeating: 0, count: 4096)), .untilClosed]),
    ("ones", [.raw([UInt8](repeating: 0xff, count: 4096)), .untilClosed]),
    ("a long frame", [.raw([0x7f, 0xff, 0xff, 0xff, 1]), .untilClosed]),
    ("done before hello", [.send(.done(.done)), .untilClosed]),
    ("another version", [.send(.hello(version: 2)), .send(.done(.done)), .untilClosed]),
    ("hello twice", [.send(.hello(version: 1)), .send(.hello(version: 1)), .untilClosed]),
    ("a failure", .greeting + [.send(.failed(Failure(.noReader))), .untilClosed]),
    ("silence after the hello", .greeting + [.untilClosed]),
    ("silence after the prompt", asked + [.untilClosed]),
    ("half a frame", asked + [.raw([0, 0, 0, 9, 3]), .untilClosed]),
    ("the end after the prompt", asked + [.close]),
    ("a reply of another kind", asked + [.send(.done(.bytes([1]))), .untilClosed]),
    ("a secret that is not announced", asked + [.secret([65]), .send(.done(.done)), .untilClosed]),
    ("an announced secret that is none", asked + [.send(.done(.secrets(count: 1))), .untilClosed]),
    (
      "two secrets",
      asked + [.secret([65]), .secret([66]), .send(.done(.secrets(count: 2))), .untilClosed]
    ),
    (
      "a secret longer than a password",
      asked + [
        .secret([UInt8](repeating: 65, count: 512)), .send(.done(.secrets(count: 1))), .untilClosed,
      ]
    ),
    ("an empty secret", asked + [.secret([]), .send(.done(.secrets(count: 1))), .untilClosed]),
    (
      "prompts for ever",
      .greeting + (0..<200).flatMap { _ in [.send(prompt), .pause(milliseconds: 50)] }
    ),
    (
      "one byte each half second",
      .greeting
        + FrameHeader.frame(ServerMessage.done(.done).encoded).flatMap {
          [.raw([$0]), .pause(milliseconds: 600)]
        }
    ),
  ]

  @Test(arguments: lies.map(\.0))
  func `it falls to the next line, and is no pass`(name: String) throws {
    let lie = try #require(Self.lies.first { $0.0 == name })
    let ending = try authenticate(try ScriptedServer(lie.1).listen())
    #expect(ending.status != 0, "\(ending.output)")
    #expect(ending.seconds < 3, "\(ending.seconds) s: \(ending.output)")
  }

  @Test func `without a daemon it falls at once`() throws {
    let ending = try authenticate("\(host.folder)/none")
    #expect(ending.status != 0 && ending.seconds < 1)
  }

  /// A server that says what a pass needs.
  static let generous = """
    import os, socket, sys
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o666)
    listener.listen()
    while True:
        peer, _ = listener.accept()
        peer.sendall(bytes.fromhex('0000000501000000010000000203 01'.replace(' ', '')))
    """

  @Test(arguments: [nil, PrivateHost.games] as [uid_t?])
  func `a server that is not root's is refused, whatever it says`(user: uid_t?) throws {
    let folder = "\(host.folder)/theirs"
    #expect(mkdir(folder, 0o777) == 0 && chmod(folder, 0o777) == 0)
    let child = try Child(
      ["/usr/bin/python3", "-c", Self.generous, "\(folder)/s"], environment: [:], user: user)
    try host.wait("the server") { PrivateHost.listens("\(folder)/s") }
    let ending = try authenticate("\(folder)/s")
    // The same words of root's are a pass: it is the owner that is refused.
    #expect((ending.status == 0) == (user == nil), "\(ending.output)")
    withExtendedLifetime(child) {}
  }

  @Test func `WHORL_SOCKET has no effect`() throws {
    let server = ScriptedServer(.greeting + [.send(.done(.done)), .untilClosed])
    let path = try server.listen()
    try """
    auth sufficient \(Modules.whorl()) verify
    auth required pam_deny.so
    """.write(toFile: "/etc/pam.d/\(Self.service)", atomically: true, encoding: .utf8)
    let words = ["/usr/bin/pamtester", Self.service, "tester", "authenticate"]
    #expect(try host.run(["/usr/bin/env", "WHORL_SOCKET=\(path)"] + words).status != 0)
    #expect(server.received.isEmpty)
    #expect(try authenticate(path).status == 0)
  }

  @Test func `where a touch has no business, the daemon is not asked`() throws {
    let server = ScriptedServer(.greeting + [.send(.done(.done)), .untilClosed])
    let path = try server.listen()
    func attempt(
      _ options: [String] = [], service: String = Self.service, before: String = "",
      environment: [String] = []
    ) throws -> Int32 {
      try """
      \(before)
      auth sufficient \(Modules.whorl()) verify socket=\(path)
      auth required pam_deny.so
      """.write(toFile: "/etc/pam.d/\(service)", atomically: true, encoding: .utf8)
      defer { unlink("/etc/pam.d/\(service)") }
      return try host.run(
        ["/usr/bin/env"] + environment + ["/usr/bin/pamtester"] + options
          + [service, "tester", "authenticate"]
      ).status
    }
    #expect(try attempt(["-I", "rhost=203.0.113.5"]) != 0)
    #expect(try attempt(service: "whorl-anything") != 0)
    let items = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_set_items.so"
    #expect(
      try attempt(
        before: "auth optional \(items)", environment: ["PAM_AUTHTOK=typed"]) != 0)
    #expect(server.received.isEmpty)
    #expect(try attempt(["-I", "rhost=localhost"]) == 0)
  }

  @Test(arguments: [
    "", "verify capture", "verfy", "verify timeout=0", "verify timeout=x",
    "verify socket=relative", "verify debug", "session",
  ])
  func `a line it does not understand is no pass`(words: String) throws {
    let server = ScriptedServer(.greeting + [.send(.done(.done)), .untilClosed])
    try """
    auth sufficient \(Modules.whorl()) \(words) socket=\(server.listen())
    auth required pam_deny.so
    """.write(toFile: "/etc/pam.d/\(Self.service)", atomically: true, encoding: .utf8)
    #expect(
      try host.run(["/usr/bin/pamtester", Self.service, "tester", "authenticate"]).status != 0)
    #expect(server.received.isEmpty)
  }
}
