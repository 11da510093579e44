import Foundation
import Glibc
import TestHost
import Testing

/// Real programs that let people in, on a terminal, by the stacks in pam/.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class ProgramTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.startSession()
    for name in ["su", "sudo", "login"] { try install(name) }
  }

  /// The worked stack, less the modules that need what a test's namespace has not.
  private func install(_ name: String) throws {
    let url = StackTests.folder.appendingPathComponent(name)
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#") && !$0.contains("pam_loginuid") && !$0.contains("pam_systemd")
        && !$0.contains("pam_limits")
    }
    let text = lines.joined(separator: "\n").replacingOccurrences(
      of: "pam_whorl.so", with: "@MODULE@"
    ).replacingOccurrences(of: "pam_gnome_keyring.so", with: "@KEYRING@")
    try desktop.write(stack: text, as: name)
  }

  private func sudo(_ environment: [String] = []) throws -> Terminal {
    try "\(Desktop.name) ALL=(ALL) ALL\nDefaults !lecture, timestamp_timeout=0\n".write(
      toFile: "/etc/sudoers.d/whorl-test", atomically: true, encoding: .utf8)
    chmod("/etc/sudoers.d/whorl-test", 0o440)
    return try desktop.terminal(
      ["/usr/bin/env"] + environment + ["/usr/bin/sudo", "/usr/bin/id", "-u"])
  }

  @Test func `sudo takes a touch, and the password after it`() throws {
    let touched = try sudo()
    try touched.expect("Touch the fingerprint reader")
    try desktop.touch("alice")
    try touched.expect("0\n")
    #expect(try touched.status() == 0)
    host.stop("fprintd")
    let typed = try sudo()
    try typed.expect("assword")
    typed.type(desktop.password + "\n")
    try typed.expect("0\n")
    #expect(try typed.status() == 0)
  }

  @Test func `WHORL_SOCKET set by the user of sudo has no effect`() throws {
    // What it names would let everybody in.
    let server = "\(host.folder)/generous"
    #expect(mkdir(server, 0o755) == 0)
    let python = try Child(
      ["/usr/bin/python3", "-c", LyingDaemonTests.generous, "\(server)/s"], environment: [:])
    try host.wait("the server") { PrivateHost.listens("\(server)/s") }
    host.stop("fprintd")
    let program = try sudo(["WHORL_SOCKET=\(server)/s"])
    try program.expect("assword")
    program.type("\u{4}")
    #expect(try program.status() != 0)
    #expect(!program.output.contains("\n0\n"))
    withExtendedLifetime(python) {}
  }

  @Test func `sudo releases and captures no login secret`() throws {
    _ = try desktop.keyring("enable")
    try desktop.logInByPassword()
    try desktop.waitForState("on: a touch")
    _ = try desktop.keyring("disable")
    _ = try desktop.keyring("enable")
    host.stop("fprintd")
    let typed = try sudo()
    try typed.expect("assword")
    typed.type(desktop.password + "\n")
    #expect(try typed.status() == 0)
    usleep(500_000)
    #expect(try desktop.keyring("status").contains("waiting for your next login"))
  }

  @Test func `su takes a touch of the account it changes to`() throws {
    let su = try host.terminal(
      program: ["/usr/bin/su", Desktop.name, "-c", "id -u"], user: Namespace.user)
    try su.expect("Touch the fingerprint reader")
    try desktop.touch("alice")
    try su.expect("\(Desktop.user)\n")
    #expect(try su.status() == 0)
  }

  @Test func `login takes a touch, and the login secret opens the keyring`() throws {
    _ = try desktop.keyring("enable")
    try desktop.logInByPassword()
    try desktop.waitForState("on: a touch")
    desktop.logOut()
    let login = try host.terminal(
      program: [
        "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
        "mount -t tmpfs none /var/log && touch /var/log/wtmp /run/utmp && exec /usr/bin/login \"$0\"",
        Desktop.name,
      ], user: nil)
    try login.expect("Touch the fingerprint reader")
    try desktop.touch("alice")
    try login.expect("$ ")
    login.type("id -u; exit\n")
    try login.expect("\(Desktop.user)\n")
    #expect(!login.output.contains("assword"))
  }
}
