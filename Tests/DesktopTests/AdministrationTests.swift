import Foundation
import Glibc
import Linux
import TestHost
import Testing

/// What administrators ask for. In most tests a rule stands in the place of an active session.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class AdministrationTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }
  private static let kinds: [[String]] = [
    ["list", "--user", "games"], ["log", "--user", "games"], ["purge", "--yes", "games"],
    ["rules", "passcode-after-hours=24"],
  ]

  init() throws {
    desktop = try Desktop()
    try desktop.installActions()
    try desktop.startSession()
    try host.add("theirs", access: "none")
    try desktop.run("usermod -a -G sudo \(Desktop.name)")
  }

  deinit { desktop.removeActions() }

  private func activate() throws {
    try desktop.rule(
      "if (action.id.indexOf('org.whorl.') == 0) { return polkit.Result.AUTH_ADMIN; }")
  }

  private func administer(_ words: [String]) throws -> (String, agent: String) {
    let command = try GatedCommand(words, host)
    let agent = try desktop.agent(for: command.child.pid)
    command.begin()
    try desktop.answer(agent, desktop.password)
    let (status, output, error) = try command.end()
    guard status == 0 else { throw PrivateHost.Missing("\(status): \(error)") }
    return (output, agent.output)
  }

  @Test func `an administrator who authenticates does each, and both records tell it`() throws {
    try activate()
    let (names, dialog) = try administer(["list", "--user", "games"])
    #expect(names.contains("theirs"))
    #expect(dialog.contains("see the names of the items of \"games\""))
    let (records, _) = try administer(["log", "--user", "games"])
    #expect(records.contains("add \"theirs\""))
    #expect(records.contains("listOthers \"\(Desktop.name)\""))
    let (rules, question) = try administer(
      ["rules", "passcode-after-hours=24", "passcode-after-boot=on"])
    let settings = ["\"passcode-after-boot=on\"", "\"passcode-after-hours=24\""]
    #expect(question.contains(settings.joined(separator: ", ")), "\(question)")
    #expect(rules.contains("passcode-after-hours = 24\n"))
    _ = try administer(["purge", "--yes", "games"])
    #expect(try host.whorl(["list"]).output.isEmpty)
    #expect(try host.whorl(["log"]).output.contains("purge \"\(Desktop.name)\""))
    let own = try desktop.whorl(["log"]).output
    for line in ["listOthers \"games\"", "exportLog \"games\"", "purge \"games\""] + settings {
      #expect(own.contains(line), "\(line) in \(own)")
    }
    // An account that was purged begins anew.
    try host.add("again", access: "none")
    #expect(try host.whorl(["read", "again"]).output == "hunter2")
  }

  @Test(arguments: kinds)
  func `in an active session the policy alone has an administrator asked`(words: [String]) throws {
    let command = try GatedCommand(words, host)
    let agent = try desktop.agent(for: command.child.pid)
    try desktop.seat(command.child.pid)
    command.begin()
    try desktop.answer(agent, desktop.password)
    let (status, _, error) = try command.end()
    #expect(status == 0, "\(error) \(agent.output)")
  }

  @Test(arguments: [(false, "seat0"), (true, "")])
  func `in one that is not active, or at no seat, it refuses`(active: Bool, seat: String) throws {
    for words in Self.kinds {
      let command = try GatedCommand(words, host)
      let agent = try desktop.agent(for: command.child.pid)
      try desktop.seat(command.child.pid, active: active, seat: seat)
      command.begin()
      let (status, _, error) = try command.end()
      #expect(status == 1)
      #expect(error.contains("not permitted"), "\(error)")
      #expect(!agent.output.contains("assword"))
    }
    try nothingHappened()
  }

  @Test(arguments: kinds)
  func `without an agent it is 36 at once`(words: [String]) throws {
    try activate()
    let start = ContinuousClock.now
    let result = try desktop.whorl(words)
    #expect(result.status == 36)
    #expect(result.error.contains("no polkit agent"), "\(result.error)")
    #expect(ContinuousClock.now - start < .seconds(2))
    try nothingHappened()
  }

  @Test(arguments: kinds)
  func `outside an active session the policy refuses, agent or not`(words: [String]) throws {
    let command = try GatedCommand(words, host)
    let agent = try desktop.agent(for: command.child.pid)
    command.begin()
    let (status, output, error) = try command.end()
    #expect(status == 1)
    #expect(error.contains("not permitted"), "\(error)")
    #expect(output.isEmpty)
    #expect(!agent.output.contains("assword"))
    try nothingHappened()
  }

  @Test(arguments: kinds)
  func `a wrong password does nothing`(words: [String]) throws {
    try activate()
    let command = try GatedCommand(words, host)
    let agent = try desktop.agent(for: command.child.pid)
    command.begin()
    try desktop.answer(agent, "guess")
    let (status, output, _) = try command.end()
    #expect(status == 51)
    #expect(output.isEmpty)
    try nothingHappened()
  }

  @Test func `what was allowed serves no other request`() throws {
    try activate()
    _ = try administer(["list", "--user", "games"])
    #expect(try desktop.whorl(["list", "--user", "games"]).status == 36)
  }

  @Test func `a person who is no administrator is not one by the own password`() throws {
    try activate()
    try desktop.run("gpasswd -d \(Desktop.name) sudo")
    host.stop("polkit")
    try host.startPolkit()
    let command = try GatedCommand(["list", "--user", "games"], host)
    let agent = try desktop.agent(for: command.child.pid)
    command.begin()
    if agent.shows("assword: ", within: 2) {
      usleep(150_000)
      agent.type(desktop.password + "\n")
    }
    let (status, output, _) = try command.end()
    #expect(status != 0)
    #expect(output.isEmpty)
  }

  @Test func `root needs no polkit, and asks also about accounts that are gone`() throws {
    host.stop("polkit")
    try desktop.add("left", "whenUnlocked")
    let names = try host.whorl(["list", "--user", Desktop.name], user: nil)
    #expect(names.output.contains("left"), "\(names.error)")
    #expect(try host.whorl(["rules", "passcode-after-failures=3"], user: nil).status == 0)
    #expect(try host.whorl(["purge", "--yes", "nosuch"], user: nil).status == 44)
    #expect(try host.whorl(["purge", Desktop.name], user: nil).status == 206)
    let state = "\(host.state)/users/\(Desktop.user)-\(Desktop.name)"
    #expect(FileFacts(path: "\(state)/items.db") != nil)
    desktop.logOut()
    try desktop.run("userdel \(Desktop.name)")
    #expect(try host.whorl(["purge", "--yes", Desktop.name], user: nil).status == 0)
    #expect(FileFacts(path: state) == nil)
  }

  @Test func `rules hold over the configuration, after a reload and a restart too`() throws {
    _ = try host.whorl(["rules", "passcode-after-boot=on"], user: nil)
    #expect(try desktop.whorl(["rules"]).output.contains("passcode-after-boot = on"))
    #expect(try desktop.whorl(["status"]).output.contains("the password first"))
    host.stop("whorld", signal: SIGHUP)
    #expect(try desktop.whorl(["rules"]).output.contains("passcode-after-boot = on"))
    try host.restartDaemon()
    try host.wait("the session") {
      try desktop.whorl(["status"]).output.contains("the password first")
    }
    #expect(try host.whorl(["rules", "passcode-after-boot=off"], user: nil).status == 0)
    #expect(try !desktop.whorl(["status"]).output.contains("the password first"))
  }

  @Test func `the whole record is exported, page by page, by one authorization`() throws {
    for _ in 0..<3 {
      let names = (0..<60).flatMap { _ in ["theirs"] }
      #expect(try host.whorl(["read"] + names).status == 0)
    }
    for _ in 0..<2 { _ = try host.whorl(["read"] + Array(repeating: "theirs", count: 60)) }
    let own = try host.whorl(["log", "--export"])
    let count = try JSONDecoder().decode([Line].self, from: Data(own.output.utf8)).count
    #expect(count > 256)
    try activate()
    let (exported, _) = try administer(["log", "--user", "games", "--export"])
    let lines = try JSONDecoder().decode([Line].self, from: Data(exported.utf8))
    #expect(lines.count == count + 1)
    #expect(lines.last?.action == "exportLog")
  }

  private struct Line: Decodable {
    let action: String
  }

  private func nothingHappened() throws {
    #expect(try host.whorl(["list"]).output.contains("theirs"))
    #expect(try host.whorl(["rules"]).output.contains("passcode-after-hours = 0"))
    #expect(try !host.whorl(["log"]).output.contains("\(Desktop.name)"))
  }
}
