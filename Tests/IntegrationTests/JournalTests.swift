import Glibc
import TestHost
import Testing

/// The journal's copy of the record.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class JournalTests {
  let journal: JournalListener
  let host: PrivateHost

  init() throws {
    journal = try JournalListener()
    host = try PrivateHost()
    try host.startLogind()
    try host.addSession("c1")
    try host.startDaemon()
    _ = journal.records()
  }

  private func record(_ action: String) throws -> [String: String] {
    var found: [String: String]?
    try host.wait("the record of \(action)") {
      found = journal.records().first { $0["WHORL_ACTION"] == action }
      return found != nil
    }
    return found!
  }

  @Test func `a read is a record with who, what, by which factor and how it ended`() throws {
    try host.add("token")
    let read = try host.reading("token", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0)
    let record = try record("read")
    #expect(record["WHORL_ITEM"] == "\"token\"")
    #expect(record["WHORL_PROGRAM"]?.hasSuffix("/whorl\"") == true)
    #expect(record["WHORL_OUTCOME"] == "success")
    #expect(record["WHORL_FACTORS"] == "devicePasscode")
    #expect(record["OBJECT_UID"] == "\(PrivateHost.games)")
    #expect(record["OBJECT_PID"].map { Int($0) != nil } == true)
    #expect(record["PRIORITY"] == "6")
    #expect(record["MESSAGE_ID"]?.count == 32)
    #expect(record["SYSLOG_IDENTIFIER"] == "whorld")
    #expect(!record.values.contains { $0.contains("hunter2") || $0.contains("sesame") })
  }

  @Test func `a refusal is a record too`() throws {
    try host.add("token")
    #expect(try host.whorl(["read", "token"]).status == 36)
    let record = try record("read")
    #expect(record["WHORL_OUTCOME"] == "interactionNotAllowed")
    #expect(record["PRIORITY"] == "5")
  }

  @Test func `a journal that takes nothing any more does not hold up a stop`() throws {
    let daemon = try #require(host.pid("whorld"))
    journal.fill()
    try host.add("token", access: "none")
    kill(daemon, SIGTERM)
    try host.wait("the end of the daemon", seconds: 6) { !Child.runs(daemon) }
    // The file is the record, and is whole.
    try host.startDaemon()
    #expect(try host.whorl(["log"]).output.contains("add \"token\""))
  }

  @Test func `a name makes no field and no line of its own`() throws {
    let name = "x\nWHORL_OUTCOME=success\nMESSAGE=\u{1b}[31mall is well\u{202e}<b>&"
    #expect(try host.whorl(["add", "--access", "none", name], input: "s").status == 0)
    let record = try record("add")
    #expect(record["WHORL_OUTCOME"] == "success")
    for field in ["WHORL_ITEM", "MESSAGE"] {
      let value = try #require(record[field])
      #expect(!value.contains("\n") && !value.contains("\u{1b}") && !value.contains("\u{202e}"))
      #expect(!value.contains("<"))
    }
  }
}
