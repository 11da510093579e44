import TestHost
import Testing

/// Where nobody may be asked, the answer comes at once and the reader is left alone.
@Suite(.serialized) final class SilenceTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token")
    try host.add("finger", access: "biometryCurrentSet")
  }

  private func refusesAtOnce(_ read: () throws -> (Int32, String)) throws {
    let start = ContinuousClock.now
    let (status, output) = try read()
    #expect(status == 36, "\(output)")
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(!output.contains("Touch") && !output.contains("hunter2"), "\(output)")
    #expect(throws: (any Error).self) { try host.waitForVerification(seconds: 0.3) }
    #expect(!host.readerIsTaken)
  }

  private func onTerminal(_ arguments: [String]) throws -> (Int32, String) {
    let terminal = try host.terminal(arguments)
    let status = try terminal.status()
    return (status, terminal.output)
  }

  @Test(arguments: ["token", "finger"])
  func `without a terminal, as in cron, a read is 36 at once`(item: String) throws {
    try refusesAtOnce {
      let result = try host.whorl(["read", item])
      return (result.status, result.output + result.error)
    }
  }

  @Test(arguments: ["token", "finger"])
  func `with --no-interaction a read is 36 at once`(item: String) throws {
    try refusesAtOnce { try onTerminal(["read", "--no-interaction", item]) }
  }

  @Test func `from a remote session an item that needs a finger is 36 at once`() throws {
    try host.setProperties([("Remote", .bool(true))], of: "c1")
    try refusesAtOnce { try onTerminal(["read", "finger"]) }
    // An item that opens by password asks for that alone.
    let read = try host.reading("token", "Type your password: ")
    #expect(!read.output.contains("Touch"))
    read.type("sesame\n")
    #expect(try read.status() == 0)
  }

  @Test func `outside any session an item that needs a finger is 36 at once`() throws {
    try host.setSession("")
    try refusesAtOnce { try onTerminal(["read", "finger"]) }
  }

  @Test func `in a locked session a read is 36 at once`() throws {
    try host.lockSession("c1", true)
    try host.wait("the lock") { try host.whorl(["status"]).output.contains("locked") }
    try refusesAtOnce { try onTerminal(["read", "token"]) }
    try host.unlockSession("c1")
    let read = try host.reading("token")
    read.type("sesame\n")
    #expect(try read.status() == 0)
  }

  @Test func `list, show, existence and delete never ask`() throws {
    for arguments in [
      ["list"], ["list", "--json"], ["show", "token"], ["show", "finger"],
      ["show", "--json", "token"],
    ] {
      let (status, output) = try onTerminal(arguments)
      #expect(status == 0, "\(output)")
      #expect(!output.contains("Touch") && !output.contains("hunter2"))
    }
    #expect(try host.whorl(["show", "absent"]).status == 44)
    #expect(try host.whorl(["add", "token"], input: "x").status == 45)
    #expect(try onTerminal(["rm", "token"]).0 == 0)
    #expect(try onTerminal(["rm", "finger"]).0 == 0)
    #expect(try host.whorl(["list"]).output.isEmpty)
    #expect(!host.readerIsTaken)
  }

  @Test func `a deletion that stops says what is deleted`() throws {
    let result = try host.whorl(["rm", "token", "absent", "finger"])
    #expect(result.status == 44)
    #expect(
      result.error.contains("\"absent\": not found\nDeleted before it: \"token\"."), "\(result)")
    let left = try host.whorl(["list"]).output
    #expect(left.contains("finger") && !left.contains("token"), "\(left)")
    let none = try host.whorl(["rm", "absent", "finger"])
    #expect(!none.error.contains("Deleted"), "\(none)")
  }

  @Test func `an update of a gated item asks`() throws {
    #expect(try host.whorl(["update", "--label", "x", "token"]).status == 36)
    let update = try host.terminal(["update", "--label", "mine", "token"])
    try update.expect(PrivateHost.touchOrType)
    update.type("sesame\n")
    #expect(try update.status() == 0)
    #expect(try host.whorl(["show", "token"]).output.contains("mine"))
  }
}
