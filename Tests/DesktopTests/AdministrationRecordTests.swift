import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// What administrators do is written down before it is done, and each page that was not the next one
/// is a request of its own.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class AdministrationRecordTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.installActions()
    try desktop.startSession()
    try host.add("theirs", access: "none")
  }

  deinit { desktop.removeActions() }

  private func count(_ text: String) throws -> Int {
    try desktop.whorl(["log"]).output.components(separatedBy: text).count - 1
  }

  @Test func `a page that is not the next of the same answer is asked about anew`() throws {
    try desktop.rule("if (action.id == 'org.whorl.export-log') { return polkit.Result.YES; }")
    let client = try PagingClient(host)
    let games = Array("games".utf8)
    func page(_ skipping: Int) throws -> Int {
      let answer = try client.ask(.administer(.log(user: games, skipping: UInt32(skipping))))
      guard case .records(let records) = try answer.get() else { return -1 }
      return records.count
    }
    let first = try page(0)
    #expect(first > 1)
    #expect(try count("exportLog") == 1)
    // The end of the answer ends what was allowed.
    #expect(try page(first) == 0)
    #expect(try count("exportLog") == 1)
    _ = try page(first)
    #expect(try count("exportLog") == 2)
    _ = try page(1)
    #expect(try count("exportLog") == 3)
    // Something else in between.
    let second = try page(0)
    #expect(try count("exportLog") == 4)
    _ = try client.ask(.list(Query()))
    _ = try page(second)
    #expect(try count("exportLog") == 5)
  }

  @Test func `a dialog whose program goes is in the record`() throws {
    try desktop.run("usermod -a -G sudo \(Desktop.name)")
    try desktop.rule(
      "if (action.id.indexOf('org.whorl.') == 0) { return polkit.Result.AUTH_ADMIN; }")
    for signal in [SIGKILL, SIGINT] {
      let before = try count("listOthers \"games\"")
      let command = try GatedCommand(["list", "--user", "games"], host)
      let agent = try desktop.agent(for: command.child.pid)
      command.begin()
      try agent.expect("assword: ")
      kill(command.child.pid, signal)
      try host.wait("the record") { try count("listOthers \"games\"") == before + 1 }
    }
    #expect(try count("cancelled") == 2)
  }

  @Test func `a purge that stops midway is in the record of whom it is about`() throws {
    let folder = "\(host.state)/users/\(PrivateHost.games)-games"
    try desktop.run("mkdir \(folder)/strange")
    #expect(try host.whorl(["purge", "--yes", "games"], user: nil).status != 0)
    let lines = try host.whorl(["log"]).output.split(separator: "\n").filter {
      $0.contains("purge \"root\"")
    }
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first != lines.last)
  }

  @Test func `rules that root's configuration has stricter are not loosened`() throws {
    let result = try host.whorl(["rules", "passcode-after-failures=6"], user: nil)
    #expect(result.status == 1)
    #expect(result.error.contains("the configuration is stricter"), "\(result.error)")
    #expect(try host.whorl(["rules"]).output.contains("passcode-after-failures = 5"))
  }

  @Test func `a purge ends what waits for the person`() throws {
    try desktop.add("password", "whenUnlocked", access: "devicePasscode")
    let reading = try host.terminal(["read", "password"], user: Desktop.user)
    try reading.expect("Type your password: ")
    #expect(try host.whorl(["purge", "--yes", Desktop.name], user: nil).status == 0)
    #expect(try reading.status() != 0)
    #expect(!reading.output.contains("timed out"), "\(reading.output)")
  }
}
