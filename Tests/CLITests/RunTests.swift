import ScriptedServer
import Testing
import Wire

@Suite struct RunTests {
  private func server(_ secrets: [UInt8]...) -> ScriptedServer {
    ScriptedServer(
      .greeting + secrets.map { .secret($0) }
        + [.send(.done(.secrets(count: UInt32(secrets.count)))), .untilClosed])
  }

  @Test func `secrets are variables under the names given, beside the old environment`() throws {
    let server = server(bytes("one"), bytes("two words"))
    let result = try Program.run(
      "run", "--with", "s/my-token,b=OTHER", "--", "sh", "-c",
      #"printf '%s|%s|%s' "$MY_TOKEN" "$OTHER" "$KEPT""#, socket: server.listen(),
      environment: ["KEPT": "kept", "MY_TOKEN": "old"])
    #expect(result.text == "one|two words|kept")
    #expect(server.messages.count == 2)
  }

  @Test func `the status is the program's`() throws {
    #expect(
      try Program.run(
        "run", "--with", "a", "--", "sh", "-c", "exit 7", socket: server([1]).listen()
      )
      .status == 7)
    #expect(
      try Program.run(
        "run", "--with", "a", "--", "sh", "-c", "kill -9 $$", socket: server([1]).listen()
      ).status == 137)
  }

  @Test func `the program gets signals with their usual effect`() throws {
    let result = try Program.run(
      "run", "--with", "a", "--", "sh", "-c", "kill -INT $$; echo survived",
      socket: server([1]).listen())
    #expect(result.status == 130)
    #expect(result.text == "")
  }

  @Test func `a program that is not there is 127, one that is none 126`() throws {
    #expect(
      try Program.run("run", "--with", "a", "--", "/nonexistent/x", socket: server([1]).listen())
        .status == 127)
    #expect(
      try Program.run("run", "--with", "a", "--", "/etc/passwd", socket: server([1]).listen())
        .status == 126)
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
      "run", "--with", "a", "--", "true", socket: server([1, 0, 2]).listen())
    #expect(result.status == 206)
  }
}
