import Foundation
import Glibc
import TestHost
import Testing

/// A program without a terminal, the real polkitd, and pkttyagent in the place of a desktop's agent.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class PolkitTests {
  private static let actions = "/usr/share/polkit-1/actions"
  private static let rules = "/etc/polkit-1/rules.d/10-whorl-test.rules"

  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    let folder = "\(PrivateHost.repository.path)/polkit"
    try desktop.run(
      """
      mount -t overlay overlay -o lowerdir=\(folder):\(Self.actions) \(Self.actions)
      mkdir -p /run/dbus && ln -sf \(host.folder)/bus /run/dbus/system_bus_socket
      """)
    host.stop("polkit")
    try host.startPolkit()
    try desktop.startSession()
    try desktop.add("token", "whenUnlocked", access: "userPresence")
    try desktop.add("finger", "whenUnlocked", access: "biometryAny")
    try desktop.add("password", "whenUnlocked", access: "devicePasscode")
  }

  deinit {
    unlink(Self.rules)
    umount2(Self.actions, Int32(MNT_DETACH))
  }

  /// A read by a program that has no terminal; it waits for a byte before it begins.
  private final class Reading {
    let child: Child
    private let gate: Int32
    private let output: String

    init(_ name: String, _ host: PrivateHost) throws {
      output = "\(host.folder)/\(UUID().uuidString)"
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw PrivateHost.Missing("no pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      gate = ends[1]
      let target = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      child = try Child(
        ["/bin/sh", "-c", "head -c1 >/dev/null; exec \(host.command) read \(name)"],
        environment: ["PATH": "/usr/bin:/bin", "WHORL_SOCKET": host.socket, "LANG": "C.UTF-8"],
        user: Desktop.user, input: ends[0], output: target, error: output + ".err")
      close(target)
      close(ends[0])
    }

    deinit { close(gate) }

    func begin() { _ = write(gate, "\n", 1) }

    func end(seconds: Double = 10) throws -> (status: Int32, output: String, error: String) {
      guard let status = child.status(seconds: seconds) else {
        throw PrivateHost.Missing("it does not end")
      }
      func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      }
      return (status, text(output), text(output + ".err"))
    }
  }

  /// An agent for one process, registered.
  private func agent(for process: pid_t) throws -> Terminal {
    let agent = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "exec 9>/dev/null; exec /usr/bin/pkttyagent --process \(process) --notify-fd 9",
      ], user: Desktop.user)
    // It closes that when it is registered.
    let mark = "/proc/\(agent.pid)/fd/9"
    try host.wait("the agent to run") {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent.pid)/exe"))?
        .hasSuffix("pkttyagent") == true
    }
    try host.wait("the agent to register") {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: mark)) != "/dev/null"
    }
    return agent
  }

  private func answer(_ agent: Terminal, _ password: String) throws {
    try agent.expect("assword: ")
    // It throws away what was typed before it listens.
    usleep(150_000)
    agent.type(password + "\n")
  }

  @Test func `an item that wants presence opens by the desktop's dialog, which names it`() throws {
    let reading = try Reading("token", host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    try agent.expect("\"\(host.command)\" asks for \"token\"")
    try answer(agent, desktop.password)
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(agent.output)")
    #expect(output == "token")
    #expect(try desktop.whorl(["log"]).output.contains("by the desktop's dialog: done"))
    // It serves no other request.
    let second = try Reading("token", host)
    second.begin()
    #expect(try second.end().status == 36)
  }

  @Test func `a wrong password opens nothing`() throws {
    let reading = try Reading("token", host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    try answer(agent, "guess")
    let (status, output, _) = try reading.end()
    #expect(status == 51)
    #expect(output.isEmpty)
  }

  @Test func `without an agent it is 36 at once`() throws {
    let reading = try Reading("token", host)
    let start = ContinuousClock.now
    reading.begin()
    let (status, output, error) = try reading.end()
    #expect(status == 36, "\(error)")
    #expect(output.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(3))
  }

  @Test(arguments: ["finger", "password"])
  func `an item that wants a finger or the password never opens by polkit`(name: String) throws {
    let reading = try Reading(name, host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    let (status, output, _) = try reading.end()
    #expect(status == 36)
    #expect(output.isEmpty)
    #expect(!agent.output.contains("asks for"))
  }

  @Test func `a rule that says yes is a refusal`() throws {
    try rule("return polkit.Result.YES;")
    let reading = try Reading("token", host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    let (status, output, error) = try reading.end()
    #expect(status == 1)
    #expect(error.contains("polkit answered in the person's place"), "\(error)")
    #expect(output.isEmpty)
    withExtendedLifetime(agent) {}
  }

  @Test func `an authorization that would be kept is a refusal`() throws {
    try rule("return polkit.Result.AUTH_SELF_KEEP;")
    let reading = try Reading("token", host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    try answer(agent, desktop.password)
    let (status, output, error) = try reading.end()
    #expect(status == 1, "\(error)")
    #expect(output.isEmpty)
  }

  @Test func `a lock while the dialog is open ends it`() throws {
    let reading = try Reading("token", host)
    let agent = try agent(for: reading.child.pid)
    reading.begin()
    try agent.expect("asks for")
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    usleep(200_000)
    try answer(agent, desktop.password)
    let (status, output, _) = try reading.end()
    #expect(status == 36)
    #expect(output.isEmpty)
  }

  private func rule(_ body: String) throws {
    try desktop.run("mkdir -p /etc/polkit-1/rules.d && chmod 755 /etc/polkit-1/rules.d")
    try """
    polkit.addRule(function(action, subject) {
      if (action.id == "org.whorl.present") { \(body) }
    });
    """.write(toFile: Self.rules, atomically: true, encoding: .utf8)
    chmod(Self.rules, 0o644)
    host.stop("polkit")
    try host.startPolkit()
  }
}
