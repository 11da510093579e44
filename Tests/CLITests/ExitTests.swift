import ScriptedServer
import TestHost
import Testing
import Wire

@Suite struct ExitTests {
  /// The published table, written again by hand.
  static let published: [FailureCode: Int32] = [
    .notFound: 44, .duplicate: 45, .authenticationFailed: 51, .cancelled: 128,
    .interactionNotAllowed: 36, .badParameter: 206, .invalidated: 93, .lockout: 248,
    .notEnrolled: 249, .noReader: 250, .passcodeNotSet: 251, .busy: 75, .locked: 36,
    .notAtReader: 36, .timedOut: 51, .changedMeanwhile: 51, .passcodeFirst: 248,
  ]

  @Test(arguments: FailureCode.allCases)
  func `every failure exits as published, and none exits 0`(code: FailureCode) throws {
    let server = ScriptedServer(.greeting + [.send(.failed(Failure(code))), .untilClosed])
    let result = try Program.run("read", "x", socket: server.listen())
    #expect(result.status == Self.published[code] ?? 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("whorl: \"x\": "))
  }

  @Test func `help exit prints exactly the published statuses`() throws {
    let result = try Program.run("help", "exit")
    let statuses = result.text.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.flatMap { Int32($0) }
    }
    #expect(Set(statuses) == Set(Self.published.values).union([0, 1, 126, 127]))
    #expect(statuses == statuses.sorted())
    #expect(result.text.contains("the session is locked; your keyring is locked"))
    #expect(result.status == 0)
  }

  @Test(arguments: [
    [], ["nonsense"], ["read"], ["read", "--nonsense", "x"], ["read", "--group"], ["read", "a/"],
    ["list", "x"], ["run", "--with", "a"], ["run", "--", "true"], ["log", "-n", "0"],
    ["log", "-n", "x"], ["add", "--access", "userpresence", "x"], ["add", "--reuse", "301", "x"],
    ["add", "--class", "always", "x"], ["run", "--with", "a=1x", "--", "true"],
    ["run", "--with", "a,s/a", "--", "true"], ["add", "x", "hunter2"], ["completions", "csh"],
  ])
  func `a wrong use exits 206 with the usage`(arguments: [String]) throws {
    let result = try Program(arguments, socket: "/nonexistent/s").wait()
    #expect(result.status == 206)
    #expect(result.errors.contains("\nusage: whorl"))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    (["raed", "x"], "there is no command \"raed\"; did you mean “read”?"),
    (["lits"], "did you mean “list”?"), (["xyzzy"], "there is no command \"xyzzy\"\n"),
    (["list", "--jsno"], "unknown option \"--jsno\"; did you mean “--json”?"),
    (["list", "--xyzzy"], "unknown option \"--xyzzy\"\n"), (["list", "-j"], "option \"-j\"\n"),
    (["read", "-0x", "a"], "-0 takes no value"), (["help", "reed"], "did you mean “read”?"),
  ])
  func `a misspelled word is answered with what it may have been`(words: [String], text: String)
    throws
  {
    let result = try Program(words, socket: "/nonexistent/s").wait()
    #expect(result.status == 206)
    #expect(result.errors.contains(text))
  }

  @Test func `short forms are understood`() throws {
    #expect(try Program.run("-V").text == Program.run("version").text)
    #expect(try Program.run("--version").text == Program.run("version").text)
    #expect(try Program.run("ls", "--help").text == Program.run("list", "--help").text)
    #expect(try Program.run("help", "ls").text.contains("Also called ls."))
    #expect(try Program.run("log", "-n3", socket: "/nonexistent/s").status == 1)
    #expect(try Program.run("log", "-nx", socket: "/nonexistent/s").status == 206)
  }

  @Test func `a secret as an argument is refused with the reason, and not repeated`() throws {
    let result = try Program.run("add", "x", "hunter2", socket: "/nonexistent/s")
    #expect(result.errors.contains("any process can see arguments"))
    #expect(!result.errors.contains("hunter2"))
  }

  @Test func `a deprecated class is refused with an explanation`() throws {
    let result = try Program.run("add", "--class", "always", "x")
    #expect(result.errors.contains("afterFirstUnlock"))
  }

  @Test func `without a service the error says what names another`() throws {
    let named = try Program.run("read", "x", socket: "/nonexistent/s")
    #expect(named.status == 1)
    #expect(
      named.errors == """
        whorl: "/nonexistent/s": the service is not there
        WHORL_SOCKET names it. Start its server, or unset the variable for the system's service.

        """)
  }

  /// In a namespace whose /run is empty: elsewhere the system's service would answer.
  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `without the system's service the error says how to start it`() throws {
    let result = try Program.run("read", "x")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        whorl: "/run/whorl/whorl.sock": the service is not there
        Start it with “systemctl enable --now whorld.service”; “whorl doctor” checks the rest.

        """)
  }
}
