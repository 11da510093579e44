import ScriptedServer
import Testing
import Wire

/// Standard streams that are closed, or take nothing.
@Suite struct StreamTests {
  private static let release: [ScriptedServer.Step] =
    .greeting + [.secret(bytes("hunter2")), .send(.done(.secrets(count: 1))), .untilClosed]

  @Test(arguments: [[1], [0, 1], [1, 2], [0, 1, 2]] as [[Int32]])
  func `with the standard output closed a read asks for nothing, and exits 1`(closed: [Int32])
    throws
  {
    let server = ScriptedServer(Self.release)
    let result = try Program(["read", "x"], socket: server.listen(), closed: closed).wait()
    #expect(result.status == 1)
    #expect(closed.contains(2) || result.errors == "whorl: cannot write to the standard output\n")
    #expect(server.received == [])
  }

  @Test(arguments: [[0], [2], [0, 2]] as [[Int32]])
  func `other closed streams take nothing of the connection`(closed: [Int32]) throws {
    let server = ScriptedServer(Self.release)
    let result = try Program(["read", "x"], socket: server.listen(), closed: closed).wait()
    #expect(result.output == bytes("hunter2"))
    #expect(result.status == 0)
    #expect(server.messages.count == 2)
    #expect(server.secrets == [])
  }

  @Test func `a closed standard input is no empty secret`() throws {
    let server = ScriptedServer(.greeting + [.send(.done(.done)), .untilClosed])
    let result = try Program(["add", "--empty", "x"], socket: server.listen(), closed: [0]).wait()
    #expect(result.status == 1)
    #expect(server.secrets == [])
  }

  @Test(arguments: [
    ["read", "x"], ["list"], ["list", "--json"], ["log"], ["help"], ["help", "add"],
    ["add", "--help"], ["help", "exit"], ["help", "man"], ["version"], ["completions", "bash"],
    ["doctor"],
  ])
  func `what cannot be written exits 1`(words: [String]) throws {
    let answer: [ScriptedServer.Step] =
      switch words[0] {
      case "read": [.secret(bytes("hunter2")), .send(.done(.secrets(count: 1)))]
      case "list": [.send(.done(.items([])))]
      case "log":
        [
          .send(
            .done(
              .records([
                AuditRecord(
                  time: 1, user: 1, process: 1, program: [], action: .read, item: [], factors: [],
                  failure: nil)
              ])))
        ]
      default: [.close]
      }
    let server = ScriptedServer(.greeting + answer + [.untilClosed])
    let result = try Program(words, socket: server.listen(), outputPath: "/dev/full").wait()
    // An empty list writes nothing.
    #expect(result.status == (words == ["list"] ? 0 : 1))
    if words != ["list"] {
      #expect(result.errors.contains("cannot write to the standard output"))
    }
  }

  @Test func `a program that is run finds closed streams unusable`() throws {
    let server = try RunTests().server([1])
    let result = try Program(
      ["run", "--with", "x", "--", "sh", "-c", "echo out && exit 1; exit 7"],
      socket: server.listen(), closed: [1]
    ).wait()
    #expect(result.status == 7)
  }
}
