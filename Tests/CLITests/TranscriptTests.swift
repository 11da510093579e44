import AccessControl
import ScriptedServer
import Testing
import Wire

@Suite struct TranscriptTests {
  private static func identity(_ service: String, _ account: String) -> ItemIdentity {
    ItemIdentity(group: bytes("whorl"), service: bytes(service), account: bytes(account))
  }

  private static func row(_ identity: ItemIdentity, _ access: String = "userPresence") throws
    -> ItemRow
  {
    ItemRow(
      row: 1, identity: identity, attributes: Attributes(),
      accessControl: try AccessControl(text: access), created: 1_700_000_000,
      modified: 1_700_000_000, isInvalidated: false)
  }

  private func server(_ steps: ScriptedServer.Step...) -> ScriptedServer {
    ScriptedServer(.greeting + steps + [.untilClosed])
  }

  @Test func `one secret is its bytes and no more`() throws {
    let secret: [UInt8] = [0, 0xff, 0x0a, 0x41]
    let result = try Program.run(
      "read", "github/token",
      socket: server(.secret(secret), .send(.done(.secrets(count: 1)))).listen())
    #expect(result.output == secret)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func `several secrets are one request, each ended by a newline, or a zero byte`() throws {
    for (flag, end) in [([], "\n"), (["-0"], "\0")] as [([String], String)] {
      let server = server(
        .secret(bytes("one")), .secret(bytes("two")), .send(.done(.secrets(count: 2))))
      let result = try Program(["read"] + flag + ["a", "s/t/b"], socket: server.listen()).wait()
      #expect(result.output == bytes("one\(end)two\(end)"))
      #expect(
        server.messages.last
          == .request(
            Request(
              .read([Self.identity("", "a"), Self.identity("s/t", "b")]),
              usesAgent: true, reuse: 300)))
    }
  }

  @Test func `add takes the standard input byte for byte, and defaults to user presence`() throws {
    let server = server(.send(.done(.done)))
    let result = try Program.run(
      "add", "--label", "my token", "--attr", "a=b", "github/token", socket: server.listen(),
      input: bytes("hunter2\n"))
    #expect(result.status == 0)
    #expect(result.errors == "whorl: note: the secret ends in a newline, which is kept\n")
    #expect(server.secrets == [bytes("hunter2\n")])
    var attributes = Attributes()
    attributes["labl"] = bytes("my token")
    attributes["a"] = bytes("b")
    let item = NewItem(
      identity: Self.identity("github", "token"), attributes: attributes,
      accessControl: try AccessControl(text: "userPresence"), store: .own)
    #expect(
      server.messages.last
        == .request(Request(.add(item, replacing: false), allowsInteraction: false)))
  }

  @Test(arguments: [
    (["add"], ""), (["add", "--replace"], ""), (["add"], "\n"), (["update"], ""),
    (["update", "--secret"], ""),
  ])
  func `an empty secret is refused, and stored with --empty`(words: [String], input: String) throws
  {
    let detail = ItemDetail(
      row: try Self.row(Self.identity("", "x")), binding: .unbound, secretCount: 1)
    let before: [ScriptedServer.Step] =
      words == ["add"] ? [] : [.send(.done(.item(detail))), .receive]
    let refused = ScriptedServer(.greeting + before + [.send(.done(.done)), .untilClosed])
    let result = try Program(words + ["x"], socket: refused.listen(), input: bytes(input)).wait()
    #expect(result.status == 206)
    #expect(result.errors.contains("the secret is empty, so nothing was stored"))
    #expect(refused.secrets == [])
    let accepted = ScriptedServer(.greeting + before + [.send(.done(.done)), .untilClosed])
    #expect(
      try Program(words + ["--empty", "x"], socket: accepted.listen(), input: bytes(input)).wait()
        .status == 0)
    #expect(accepted.secrets == [bytes(input)])
  }

  @Test func `add replace with all options is one request`() throws {
    let server = server(.send(.done(.done)))
    _ = try Program.run(
      "add", "--replace", "--access=biometryCurrentSet|devicePasscode", "--class",
      "afterFirstUnlock", "--reuse", "300", "--store", "default", "--group", "g",
      "x", socket: server.listen(),
      input: bytes("s"))
    let item = NewItem(
      identity: ItemIdentity(group: bytes("g"), service: [], account: bytes("x")),
      attributes: Attributes(),
      accessControl: try AccessControl(
        text: "biometryCurrentSet | devicePasscode", accessibility: .afterFirstUnlock,
        reuseLimit: 300), store: .own)
    #expect(
      server.messages.last
        == .request(Request(.add(item, replacing: true), allowsInteraction: false)))
  }

  @Test func `an application password without a terminal is 36, and nothing is sent`() throws {
    let server = server(.send(.done(.done)))
    let result = try Program.run(
      "add", "--application-password", "x", socket: server.listen(), input: bytes("s"))
    #expect(result.status == 36)
    #expect(server.received == [])
  }

  @Test func `update changes what its options name and keeps the rest`() throws {
    let identity = Self.identity("", "x")
    var row = try Self.row(identity)
    row.attributes["labl"] = bytes("old")
    row.attributes["k"] = bytes("v")
    let detail = ItemDetail(row: row, binding: .unbound, secretCount: 1)
    let server = server(.send(.done(.item(detail))), .receive, .send(.done(.done)))
    let result = try Program.run(
      "update", "--attr", "labl=new", "--attr", "k=", "--reuse", "9", "x", socket: server.listen())
    #expect(result.status == 0)
    var attributes = Attributes()
    attributes["labl"] = bytes("new")
    let changes = Changes(
      attributes: attributes,
      accessControl: try AccessControl(text: "userPresence", reuseLimit: 9))
    #expect(
      server.messages.last
        == .request(Request(.update(identity, changes), usesAgent: true, reuse: 300)))
  }

  @Test(arguments: ["-x", "--help", "--", "plain"])
  func `after a double dash every word is a name`(name: String) throws {
    for (words, operation) in [
      (["show"], Operation.show(Self.identity("", name))),
      (["rm"], .delete(Self.identity("", name))),
    ] as [([String], Operation)] {
      let server = server(.send(.failed(Failure(.notFound))))
      let result = try Program(words + ["--", name], socket: server.listen()).wait()
      #expect(result.status == 44)
      guard case .request(let request) = server.messages.last else {
        Issue.record("no request")
        return
      }
      #expect(request.operation == operation)
    }
  }

  @Test func `names reach the terminal only escaped`() throws {
    let evil = Self.identity("", "a\u{1b}[2J\u{202e}<b>\n")
    let result = try Program.run(
      "list",
      socket: server(
        .send(.done(.items([try Self.row(evil)]))), .receive,
        .send(.done(.items([])))
      ).listen())
    #expect(
      result.text == "\"a\\u{1b}[2J\\u{202e}\\u{3c}b>\\u{a}\"  userPresence\n")
  }

  @Test func `a failure about an evil name is escaped as well`() throws {
    let result = try Program.run(
      "read", "a\u{1b}]0;x", socket: server(.send(.failed(Failure(.notFound)))).listen())
    #expect(result.errors.hasPrefix("whorl: \"a\\u{1b}]0;x\": not found\n"))
    #expect(!result.errors.contains("\u{1b}"))
  }

  @Test func `JSON is printable ASCII and holds the name as it is`() throws {
    let identity = Self.identity("", "ö\u{1b}\"")
    let result = try Program.run(
      "list", "--json",
      socket: server(
        .send(.done(.items([try Self.row(identity)]))), .receive,
        .send(.done(.items([])))
      ).listen())
    #expect(result.text.hasPrefix(#"[{"name": "\u00f6\u001b\"", "group": "whorl""#))
    #expect(result.output.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
  }

  @Test func `show says what ended the generation, finger and date`() throws {
    var row = try Self.row(Self.identity("", "x"), "biometryCurrentSet")
    row.isInvalidated = true
    let detail = ItemDetail(
      row: row,
      binding: .ended(
        EnrollmentChange(.enrolled, path: bytes("synaptics/0/1"), time: 1_700_000_000)),
      secretCount: 7)
    let result = try Program.run("show", "x", socket: server(.send(.done(.item(detail)))).listen())
    #expect(
      result.text == """
        name        "x"
        group       "whorl"
        access      biometryCurrentSet
        class       whenUnlocked
        created     2023-11-14 22:13
        modified    2023-11-14 22:13
        secret      7 bytes
        prints      invalidated: left thumb enrolled on 2023-11-14 22:13

        """)
  }

  @Test func `status points to fprintd-enroll where nothing is enrolled`() throws {
    let status = HostStatus(
      biometryObstacle: .notEnrolled, hasPasscode: true, isUnlocked: true, prints: [])
    let result = try Program.run("status", socket: server(.send(.done(.status(status)))).listen())
    #expect(
      result.text == """
        session      unlocked
        password     set
        fingerprint  no finger is enrolled
        Enroll a finger with “fprintd-enroll”.

        """)
  }

  @Test func `log is one line for each record`() throws {
    let record = AuditRecord(
      time: 1_700_000_000, user: 1000, process: 42, program: bytes("/bin/x"), action: .read,
      item: bytes("a\nb"), factors: [.biometry], failure: .invalidated)
    let result = try Program.run(
      "log", "-n", "5", socket: server(.send(.done(.records([record])))).listen())
    #expect(
      result.text == "2023-11-14 22:13  read \"a\\u{a}b\" for \"/bin/x\" (42), by finger: "
        + "invalidated: the enrolled fingerprints have changed\n")
  }

  @Test func `doctor exits 1 when the service is not there, and each finding has a remedy`() throws
  {
    let result = try Program.run("doctor", socket: "/nonexistent/s")
    #expect(result.status == 1)
    let lines = result.text.split(separator: "\n")
    for (index, line) in lines.enumerated() where line.hasPrefix("broken") {
      #expect(lines[index + 1].hasPrefix("        → "))
    }
  }
}
