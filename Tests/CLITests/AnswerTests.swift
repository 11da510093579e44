import AccessControl
import ScriptedServer
import Testing
import Wire

/// What commands that only look print, for people and as JSON.
@Suite struct AnswerTests {
  private static func row(
    _ name: String, _ access: String = "userPresence", group: String = "whorl",
    attributes: [(String, String)] = [], isInvalidated: Bool = false, hasDeadBranch: Bool = false
  ) throws -> ItemRow {
    var list = Attributes()
    for (name, value) in attributes { list[bytes(name)] = bytes(value) }
    return ItemRow(
      row: 1, identity: ItemIdentity(group: bytes(group), service: [], account: bytes(name)),
      attributes: list, accessControl: try AccessControl(text: access), created: 1,
      modified: 1, isInvalidated: isInvalidated, hasDeadBranch: hasDeadBranch)
  }

  private func list(_ rows: [ItemRow], _ words: String...) throws -> String {
    let server = ScriptedServer(
      .greeting + [
        .send(.done(.items(rows))), .receive, .send(.done(.items([]))), .untilClosed,
      ])
    return try Program(["list"] + words, socket: server.listen()).wait().text
  }

  private func show(_ detail: ItemDetail, _ words: String...) throws -> String {
    let server = ScriptedServer(.greeting + [.send(.done(.item(detail))), .untilClosed])
    return try Program(["show"] + words + ["x"], socket: server.listen()).wait().text
  }

  @Test func `a list is in the order of names, then of groups`() throws {
    let text = try list([
      Self.row("b"), Self.row("a", group: "z"), Self.row("a"), Self.row("B"), Self.row("a/1"),
    ])
    #expect(
      text == """
        "B"  userPresence
        "a"  userPresence
        "a" in "z"  userPresence
        "a/1"  userPresence
        "b"  userPresence

        """)
  }

  @Test func `names that are alike for 64 cells are told apart`() throws {
    let long = String(repeating: "n", count: 80)
    #expect(
      try list([Self.row(long + "1"), Self.row(long + "2")])
        == "\"\(long)1\"  userPresence\n\"\(long)2\"  userPresence\n")
    let detail = ItemDetail(row: try Self.row(long), binding: .unbound, secretCount: 1)
    #expect(try show(detail).contains("name        \"\(long)\"\n"))
  }

  @Test func `an item of which only the finger died is marked the same way everywhere`() throws {
    let row = try Self.row(
      "x", "biometryCurrentSet | devicePasscode", hasDeadBranch: true)
    let change = EnrollmentChange(.enrolled, path: bytes("synaptics/0/1"), time: 1_700_000_000)
    let detail = ItemDetail(row: row, binding: .ended(change), secretCount: 1)
    #expect(try list([row]).hasSuffix("biometryCurrentSet | devicePasscode  finger invalidated\n"))
    #expect(try show(detail).contains("prints      finger invalidated: left thumb enrolled on"))
    for json in [try list([row], "--json"), try show(detail, "--json")] {
      #expect(
        json.contains(
          #""invalidated": false, "liveBranches": ["devicePasscode"], "#
            + #""invalidatedBranches": ["biometryCurrentSet"]"#), "\(json)")
    }
  }

  @Test func `an item that nothing opens any more is marked the same way everywhere`() throws {
    let row = try Self.row("x", "biometryCurrentSet", isInvalidated: true, hasDeadBranch: true)
    let detail = ItemDetail(
      row: row, binding: .ended(EnrollmentChange(.unknown)), secretCount: 1)
    #expect(try list([row]).hasSuffix("biometryCurrentSet  invalidated\n"))
    #expect(try show(detail).contains("prints      invalidated: the enrolled fingerprints changed"))
    for json in [try list([row], "--json"), try show(detail, "--json")] {
      #expect(
        json.contains(
          #""invalidated": true, "liveBranches": [], "invalidatedBranches": ["biometryCurrentSet"]"#
        ), "\(json)")
    }
  }

  @Test func `JSON has words for Apple's codes, and nothing that is empty`() throws {
    let json = try list(
      [Self.row("x", attributes: [("labl", "mine"), ("icmt", "note"), ("own", "1")])], "--json")
    #expect(
      json.contains(
        #""itemClass": "genericPassword", "identity": {"account": "x"}, "#
          + #""attributes": {"comment": "note", "label": "mine", "own": "1"}"#), "\(json)")
  }

  @Test func `a label is called one, and one byte too`() throws {
    let row = try Self.row("x", attributes: [("icmt", "note"), ("labl", "mine")])
    let text = try show(ItemDetail(row: row, binding: .unbound, secretCount: 1))
    #expect(text.contains("label       \"mine\"\n"))
    #expect(text.contains("attribute   \"comment\" = \"note\"\n"))
    #expect(text.contains("secret      1 byte\n"))
  }

  @Test(arguments: [
    (["--label", ""], true), (["--attr", "label="], true), (["--attr", "x="], false),
  ])
  func `an empty value takes the attribute away`(words: [String], removes: Bool) throws {
    let row = try Self.row("x", attributes: [("labl", "old")])
    let detail = ItemDetail(row: row, binding: .unbound, secretCount: 1)
    let server = ScriptedServer(
      .greeting + [.send(.done(.item(detail))), .receive, .send(.done(.done)), .untilClosed])
    _ = try Program(["update"] + words + ["x"], socket: server.listen()).wait()
    guard case .request(let request) = server.messages.last,
      case .update(_, let changes) = request.operation
    else {
      Issue.record("no update")
      return
    }
    #expect(changes.attributes?.pairs.count == (removes ? 0 : 1))
  }

  @Test func `a change of the fingerprints is nobody's request`() throws {
    let records = [bytes("synaptics/0/1"), []].map { path in
      AuditRecord(
        time: 1_700_000_000, user: 1, process: 0, program: [], action: .generationEnded,
        item: path, factors: [], failure: nil)
    }
    let lock = AuditRecord(
      time: 1_700_000_000, user: 1, process: 7, program: bytes("/bin/whorl"), action: .lock,
      item: [], factors: [], failure: nil)
    let server = ScriptedServer(
      .greeting + [.send(.done(.records(records + [lock]))), .untilClosed])
    #expect(
      try Program.run("log", socket: server.listen()).text == """
        2023-11-14 22:13  fingerprints changed (left thumb): what was bound to them is invalidated
        2023-11-14 22:13  fingerprints changed (all of them): what was bound to them is invalidated
        2023-11-14 22:13  lock for "/bin/whorl" (7): done

        """)
  }

  @Test func `rearm of an item that no password opens advises what helps`() throws {
    let server = ScriptedServer(.greeting + [.send(.failed(Failure(.invalidated))), .untilClosed])
    let result = try Program.run("rearm", "x", socket: server.listen())
    #expect(result.status == 93)
    #expect(result.errors.contains("“whorl add --replace x” stores it anew."))
    #expect(!result.errors.contains("rearm"))
  }

  @Test func `who is not served is told so`() throws {
    let server = ScriptedServer([
      .send(.failed(Failure(.notPermitted, detail: bytes("this user is not served")))), .close,
    ])
    let socket = try server.listen()
    #expect(
      try Program.run("list", socket: socket).errors
        == "whorl: \"this user is not served\": not permitted\n")
    let doctor = try Program.run("doctor", socket: socket)
    #expect(doctor.text.contains("not permitted: \"this user is not served\"\n        → "))
  }

  @Test func `doctor looks for PAM services where the service does`() throws {
    let status = HostStatus(
      biometryObstacle: nil, hasPasscode: true, isUnlocked: true, prints: [],
      pamDirectory: bytes("/nonexistent/pam.d"))
    let server = ScriptedServer(.greeting + [.send(.done(.status(status))), .untilClosed])
    let result = try Program.run("doctor", socket: server.listen())
    #expect(result.status == 1)
    #expect(
      result.text.contains(
        "broken  the PAM service whorl-biometry is not installed\n"
          + "        → Install whorl again: it lacks a part.\n"))
  }

  @Test(arguments: [
    (["--access", "bogus"], "--access: there is no \"bogus\"; it is one of none, userPresence, "),
    (["--access", "biometryAny |"], "--access: a word is missing"),
    (["--access", "biometryAny | biometryAny"], "\"biometryAny\" stands twice"),
    (["--access", "applicationPassword"], "stands after “+”"),
    (["--access", "none + devicePasscode"], "only applicationPassword stands after “+”"),
    (["--access", "none | devicePasscode"], "“none” stands alone"),
    (["--access", "userPresence | devicePasscode"], "userPresence stands alone"),
    (["--access", "biometryAny | biometryCurrentSet"], "exclude each other"),
    (["--access", "biometryAny | devicePasscode & biometryAny"], "cannot be mixed"),
    (["--class", "bogus"], "--class: there is no \"bogus\"; it is one of whenUnlocked, after"),
  ])
  func `what is wrong with an access control is named, with the choices`(
    words: [String], text: String
  ) throws {
    let result = try Program(["add"] + words + ["x"], socket: "/nonexistent/s").wait()
    #expect(result.status == 206)
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(!result.errors.contains("privateKeyUsage"))
  }
}
