import AccessControl
import Glibc
import ScriptedServer
import TemporaryFolder
import Testing
import Wire

/// Commands in advice can be copied into a shell as they stand between the quotes.
struct AdviceTests {
  private func advice(_ arguments: [String], _ code: FailureCode) throws -> String {
    let server = ScriptedServer(.greeting + [.send(.failed(Failure(code))), .untilClosed])
    return try Program(arguments, socket: server.listen(), input: [1]).wait().errors
  }

  private func commands(_ text: String) -> [String] {
    text.matches(of: /“([^”]*)”/).map { String($0.1) }
  }

  @Test func `a name is quoted only if it must be`() throws {
    #expect(
      try advice(["read", "github/token"], .invalidated) == """
        whorl: "github/token": invalidated: the enrolled fingerprints have changed
        “whorl show github/token” says what changed.
        If it opens by password, “whorl rearm github/token” binds it again;
        otherwise “whorl add --replace github/token” stores it anew.

        """)
    #expect(
      try advice(["add", "my token"], .duplicate) == """
        whorl: "my token": there is such an item already
        “whorl add --replace 'my token'” overwrites it, “whorl update 'my token'” changes it.

        """)
    #expect(
      commands(try advice(["read", "--group", "a b", "--", "-x"], .invalidated)).first
        == "whorl show --group 'a b' -- -x")
  }

  @Test(
    arguments: [
      "token", "a b", "it's", "\"x\"", "$HOME", "`id`", "a;b|c&d", "<b>&", "*", "~", "=ls", "#a",
      "!!", "{a,b}", "(x)", "ünï", "-n", "a%b@c:d+e,f=g", "x/",
    ], [("bash", "bash"), ("zsh", "zsh"), ("fish", "fish"), ("sh", "dash")])
  func `what is advised names the item, in every shell`(
    _ name: String, _ shell: (program: String, package: String)
  ) throws {
    // `x/` is no name, so its command stands for one with a service.
    let item = name == "x/" ? "x/y" : name
    let command = try #require(commands(try advice(["read", "--", item], .invalidated)).first)
    let folder = try TemporaryFolder()
    try folder.write(Array("#!/bin/sh\nprintf '%s\\n' \"$@\"\n".utf8), to: "whorl")
    #expect(chmod(folder("whorl"), 0o755) == 0)
    let result = try Utility.run(
      shell.program, ["-c", command], package: shell.package,
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
    let dashes = item.hasPrefix("-") ? "--\n" : ""
    #expect(result.output == "show\n\(dashes)\(item)\n", "\(command) \(result.errors)")
  }

  @Test(arguments: ["a\nb", "a\u{1b}[2J", "\u{202e}x", String(repeating: "x", count: 70)])
  func `a name that cannot be shown is left to the person`(_ name: String) throws {
    #expect(commands(try advice(["read", name], .invalidated)).first == "whorl show NAME")
  }

  @Test func `names that begin with a dash stand behind two`() throws {
    let server = ScriptedServer(
      .greeting + [.secret(bytes("x")), .send(.done(.secrets(count: 1))), .untilClosed])
    let result = try Program.run("read", "--", "-x", socket: server.listen())
    #expect(result.text == "x")
    let identity = ItemIdentity(group: bytes("whorl"), service: [], account: bytes("-x"))
    #expect(
      server.messages.last
        == .request(Request(.read([identity]), usesAgent: true, reuse: 300)))
  }

  /// What is harmless between quotes must not part the bytes of a character.
  @Test(arguments: [
    (bytes("my x"), "'my x'"), ([0xc3, 0xa9], "'é'"), ([0xc3, 0x22, 0xa9], "NAME"),
    ([0xc3, 0x26, 0xa9], "NAME"), ([0xff], "NAME"),
  ])
  func `what show says of an item that still opens can be copied too`(
    _ name: [UInt8], _ copied: String
  ) throws {
    let row = ItemRow(
      row: 1, identity: ItemIdentity(group: bytes("apps"), service: [], account: name),
      attributes: Attributes(),
      accessControl: try AccessControl(text: "biometryCurrentSet | devicePasscode"), created: 1,
      modified: 1, isInvalidated: false)
    let detail = ItemDetail(
      row: row, binding: .ended(EnrollmentChange(.unknown, time: 0)), secretCount: 1)
    let server = ScriptedServer(.greeting + [.send(.done(.item(detail))), .untilClosed])
    let result = try Program.run("show", "--group", "apps", "my x", socket: server.listen())
    #expect(commands(result.text) == ["whorl rearm --group apps \(copied)"])
  }
}
