import Foundation
import Glibc
import TestHost
import Testing

/// A program without a terminal, the real polkitd, and pkttyagent in the place of a desktop's agent.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class PolkitTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.installActions()
    try desktop.startSession()
    try desktop.add("token", "whenUnlocked", access: "userPresence")
    try desktop.add("finger", "whenUnlocked", access: "biometryAny")
    try desktop.add("password", "whenUnlocked", access: "devicePasscode")
  }

  deinit { desktop.removeActions() }

  @Test func `an item that wants presence opens by the desktop's dialog, which names it`() throws {
    let reading = try GatedCommand(["read", "token"], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    try agent.expect("\"\(host.command)\" asks for \"token\"")
    try desktop.answer(agent, desktop.password)
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(agent.output)")
    #expect(output == "token")
    #expect(try desktop.whorl(["log"]).output.contains("by the desktop's dialog: done"))
    // It serves no other request.
    let second = try GatedCommand(["read", "token"], host)
    second.begin()
    #expect(try second.end().status == 36)
  }

  @Test func `the dialog of an update says that it is one`() throws {
    let update = try GatedCommand(["update", "token", "--label", "new"], host)
    let agent = try desktop.agent(for: update.child.pid)
    update.begin()
    try agent.expect("\"\(host.command)\" asks for a change of \"token\"")
    try desktop.answer(agent, desktop.password)
    let (status, _, error) = try update.end()
    #expect(status == 0, "\(error) \(agent.output)")
  }

  @Test func `a wrong password opens nothing`() throws {
    let reading = try GatedCommand(["read", "token"], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    try desktop.answer(agent, "guess")
    let (status, output, _) = try reading.end()
    #expect(status == 51)
    #expect(output.isEmpty)
  }

  @Test func `without an agent it is 36 at once`() throws {
    let reading = try GatedCommand(["read", "token"], host)
    let start = ContinuousClock.now
    reading.begin()
    let (status, output, error) = try reading.end()
    #expect(status == 36, "\(error)")
    #expect(output.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(3))
  }

  @Test(arguments: ["finger", "password"])
  func `an item that wants a finger or the password never opens by polkit`(name: String) throws {
    let reading = try GatedCommand(["read", name], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    let (status, output, _) = try reading.end()
    #expect(status == 36)
    #expect(output.isEmpty)
    #expect(!agent.output.contains("asks for"))
  }

  @Test func `a rule that says yes is a refusal`() throws {
    try rule("return polkit.Result.YES;")
    let reading = try GatedCommand(["read", "token"], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    let (status, output, error) = try reading.end()
    #expect(status == 1)
    #expect(error.contains("polkit answered in the person's place"), "\(error)")
    #expect(output.isEmpty)
    withExtendedLifetime(agent) {}
  }

  @Test func `an authorization that would be kept is a refusal`() throws {
    try rule("return polkit.Result.AUTH_SELF_KEEP;")
    let reading = try GatedCommand(["read", "token"], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    try desktop.answer(agent, desktop.password)
    let (status, output, error) = try reading.end()
    #expect(status == 1, "\(error)")
    #expect(output.isEmpty)
  }

  @Test func `a lock while the dialog is open ends it`() throws {
    let reading = try GatedCommand(["read", "token"], host)
    let agent = try desktop.agent(for: reading.child.pid)
    reading.begin()
    try agent.expect("asks for")
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    usleep(200_000)
    try desktop.answer(agent, desktop.password)
    let (status, output, _) = try reading.end()
    #expect(status == 36)
    #expect(output.isEmpty)
  }

  private func rule(_ body: String) throws {
    try desktop.rule("if (action.id == \"org.whorl.present\") { \(body) }")
  }
}
