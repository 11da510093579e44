import AccessControl
import ScriptedServer
import Testing
import Wire

@Suite struct RunTests {
  func server(_ secrets: [UInt8]...) throws -> ScriptedServer {
    let looks = try secrets.flatMap { secret -> [ScriptedServer.Step] in
      [.send(.done(.item(try Self.detail(secret.count)))), .receive]
    }
    return ScriptedServer(
      .greeting + looks + secrets.map { .secret($0) }
        + [.send(.done(.secrets(count: UInt32(secrets.count)))), .untilClosed])
  }

  private static func detail(_ secretCount: Int) throws -> ItemDetail {
    ItemDetail(
      row: ItemRow(
        row: 1, identity: ItemIdentity(group: bytes("whorl"), service: [], account: bytes("a")),
        attributes: Attributes(), accessControl: try AccessControl(text: "userPresence"),
        created: 1, modified: 1, isInvalidated: false),
      binding: .unbound, secretCount: UInt32(secretCount))
  }

  @Test func `secrets are variables under the names given, beside the old environment`() throws {
    let server = try server(bytes("one"), bytes("two words"))
    let result = try Program.run(
      "run", "--with", "s/my-token,b=OTHER", "--", "sh", "-c",
      #"printf '%s|%s|%s' "$MY_TOKEN" "$OTHER" "$KEPT""#, socket: server.listen(),
      environment: ["KEPT": "kept", "MY_TOKEN": "old"])
    #expect(result.text == "one|two words|kept")
    #expect(server.messages.count == 4)
  }

  @Test func `the status is the program's`() throws {
    #expect(
      try Program.run(
        "run", "--with", "a", "--", "sh", "-c", "exit 7", socket: try server([1]).listen()
      )
      .status == 7)
    #expect(
      try Program.run(
        "run", "--with", "a", "--", "sh", "-c", "kill -9 $$", socket: try server([1]).listen()
      ).status == 137)
  }

  @Test func `the program gets signals with their usual effect`() throws {
    let result = try Program.run(
      "run", "--with", "a", "--", "sh", "-c", "kill -INT $$; echo survived",
      socket: try server([1]).listen())
    #expect(result.status == 130)
    #expect(result.text == "")
  }

  @Test(arguments: [
    ("/nonexistent/x", 127, "there is no such program"), ("nosuchprog", 127, "no such program"),
    ("/etc/passwd", 126, "cannot be executed"), ("/etc", 126, "cannot be executed"),
    ("", 127, "no such program"),
  ])
  func `a program that cannot run is told before anybody is asked`(
    program: String, status: Int32, text: String
  ) throws {
    let server = try server([1])
    let result = try Program.run("run", "--with", "a", "--", program, socket: server.listen())
    #expect(result.status == status)
    #expect(result.errors.contains(text))
    #expect(server.received == [])
  }

  @Test func `a secret that no variable holds is told before anybody is asked`() throws {
    let server = ScriptedServer(
      .greeting + [.send(.done(.item(try Self.detail(131_072 - 2)))), .untilClosed])
    let result = try Program.run("run", "--with", "a", "--", "true", socket: server.listen())
    #expect(result.status == 206)
    #expect(result.errors.contains("131070 bytes are too many for a variable"))
    #expect(server.messages.count == 2)
  }

  @Test func `the longest secret of a variable arrives whole`() throws {
    let secret = [UInt8](repeating: 0x73, count: 131_072 - 3)
    let result = try Program.run(
      "run", "--with", "a", "--", "sh", "-c", "echo ${#A}", socket: try server(secret).listen())
    #expect(result.text == "131069\n")
  }

  @Test func `an environment that is too large says so`() throws {
    let secret = [UInt8](repeating: 0x73, count: 131_000)
    let secrets = [[UInt8]](repeating: secret, count: 20)
    let looks = try secrets.flatMap { secret -> [ScriptedServer.Step] in
      [.send(.done(.item(try Self.detail(secret.count)))), .receive]
    }
    let server = ScriptedServer(
      .greeting + looks + secrets.map { .secret($0) }
        + [.send(.done(.secrets(count: 20))), .untilClosed])
    let names = (0..<20).map { "a\($0)" }.joined(separator: ",")
    let result = try Program.run("run", "--with", names, "--", "true", socket: server.listen())
    #expect(result.status == 126)
    #expect(result.errors.contains("too large for a program"))
  }

  @Test(arguments: [
    ("a=b=C", "a=b", "C"), (#"a\,b=C"#, "a,b", "C"), (#"a\=b"#, "a=b", "A_B"),
    (#"a\b=C"#, #"a\b"#, "C"), (#"a\\=C"#, #"a\"#, "C"), ("s/my.token", "s/my.token", "MY_TOKEN"),
    ("1st", "1st", "_1ST"), ("ключ=KEY", "ключ", "KEY"),
  ])
  func `any name can be given, with what separates escaped`(
    text: String, item: String, variable: String
  ) throws {
    let server = try server(bytes("value"))
    let result = try Program.run(
      "run", "--with", text, "--", "sh", "-c", "printenv \(variable)", socket: server.listen())
    #expect(result.text == "value\n")
    guard case .request(let request) = server.messages.last,
      case .read(let items) = request.operation
    else {
      Issue.record("no read")
      return
    }
    let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
    #expect(
      items == [
        ItemIdentity(
          group: bytes("whorl"), service: bytes(parts.count > 1 ? parts[0] : ""),
          account: bytes(parts[parts.count - 1]))
      ])
  }

  @Test(arguments: [
    ("ключ", "write =VAR"), ("---", "write =VAR"), ("a,", "lacks an item"), (",a", "lacks an item"),
    ("a,,b", "lacks an item"), ("=VAR", "lacks an item"), ("a=", "is no name of a variable"),
    ("a=1x", "is no name of a variable"),
  ])
  func `what makes no variable is refused`(text: String, reason: String) throws {
    let result = try Program.run("run", "--with", text, "--", "true", socket: "/nonexistent/s")
    #expect(result.status == 206)
    #expect(result.errors.contains(reason))
  }

  @Test func `a failed read starts nothing`() throws {
    let server = ScriptedServer(.greeting + [.send(.failed(Failure(.notFound))), .untilClosed])
    let result = try Program.run(
      "run", "--with", "a", "--", "echo", "started", socket: server.listen())
    #expect(result.status == 44)
    #expect(result.text == "")
  }

  @Test func `a secret with a zero byte cannot be a variable`() throws {
    let result = try Program.run(
      "run", "--with", "a", "--", "true", socket: try server([1, 0, 2]).listen())
    #expect(result.status == 206)
  }
}
