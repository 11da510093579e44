import Foundation
import Glibc
import Linux
import TestHost
import Testing

/// A desktop host: an account with a password, a finger and a home, a greeter on the seat, the
/// daemon, and a login service whose stack is the product's.
final class Desktop {
  static let user: uid_t = 4343
  static let name = "person"
  static let first = "open sesame"
  static let service = "desktop-login"
  /// The same without a touch, as desktops have it beside the one for fingers.
  static let passwordService = "desktop-password"

  let host: PrivateHost
  /// The password as it is now.
  var password = Desktop.first
  private var bus: Child?
  let home: String
  let runtime = "/run/user/\(Desktop.user)"

  init(_ lines: [String] = []) throws {
    host = try PrivateHost()
    home = "\(host.folder)/home"
    try host.installSystemPasscodeService()
    try run("useradd -u \(Self.user) -M -d \(home) -s /bin/sh \(Self.name)")
    try run("printf '%s:%s\\n' \(Self.name) '\(password)' | chpasswd -c SHA512")
    try run("install -d -m 700 -o \(Self.name) -g \(Self.name) \(home) \(runtime)")
    try host.startLogind()
    try host.addGreeter("g1")
    try host.startFingerprints()
    try host.startDaemon(["passcodes = shadow"] + lines)
    // The client finds it beside itself.
    try host.installHelper("whorl-prompt")
    try host.enroll("alice", user: Self.name)
    try write(stack: Self.loginStack)
    try write(
      stack: Self.loginStack.split(separator: "\n").dropFirst().joined(separator: "\n"),
      as: Self.passwordService)
  }

  deinit {
    logOut()
    _ = try? host.run(["/usr/sbin/userdel", Self.name])
    _ = try? host.run([
      "/bin/rm", "-rf", runtime, "/etc/pam.d/\(Self.service)", "/etc/pam.d/\(Self.passwordService)",
    ])
  }

  /// As root, by a shell.
  @discardableResult
  func run(_ script: String) throws -> CommandResult {
    let result = try host.run([
      "/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "/bin/sh", "-c", script,
    ])
    guard result.status == 0 else { throw PrivateHost.Missing("\(script): \(result.error)") }
    return result
  }

  /// `@MODULE@ ROLE` stands for our module with its socket, `@KEYRING@` for gnome-keyring's.
  func write(stack: String, as service: String = Desktop.service) throws {
    let socket = "socket=\(host.socket)"
    let lines = try stack.split(separator: "\n").map { line in
      let text = line.replacingOccurrences(of: "@KEYRING@", with: try Modules.keyring())
      return text.contains("@MODULE@")
        ? text.replacingOccurrences(of: "@MODULE@", with: try Modules.whorl()) + " " + socket : text
    }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: "/etc/pam.d/\(service)", atomically: true, encoding: .utf8)
  }

  /// A touch or the password, then capture, then the keyring.
  static let loginStack = """
    auth [success=2 default=ignore] @MODULE@ verify timeout=8
    auth [success=1 default=ignore] pam_unix.so
    auth requisite pam_deny.so
    auth required pam_permit.so
    auth optional @MODULE@ capture
    auth optional @KEYRING@
    account required pam_unix.so
    password [success=1 default=ignore] pam_unix.so sha512
    password requisite pam_deny.so
    password required pam_permit.so
    password optional @MODULE@ password
    password optional @KEYRING@ use_authtok
    session required pam_permit.so
    session optional @MODULE@ session
    session optional @KEYRING@ auto_start
    """

  private func environment(_ more: [String] = []) -> [String] {
    ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "XDG_RUNTIME_DIR=\(runtime)"]
      + more
  }

  /// A login program on a terminal, at work; the account's own session bus is there.
  func logIn(
    _ steps: [String] = ["authenticate", "acct_mgmt", "open_session"],
    service: String = Desktop.service, user: String = Desktop.name
  ) throws -> Terminal {
    try startBus()
    return try host.terminal(
      program: environment() + ["/usr/bin/pamtester", "-v", service, user] + steps, user: nil)
  }

  /// A finger that comes to the reader anew: one that is there at once has never left it.
  func touch(_ finger: String) throws {
    try host.waitForVerification()
    usleep(300_000)
    try host.scan(finger)
  }

  /// A login by password only.
  func logInByPassword() throws {
    let login = try logIn(service: Self.passwordService)
    try login.expect("assword: ")
    login.type(password + "\n")
    try login.expect("successfully opened a session")
    guard try login.status() == 0 else { throw PrivateHost.Missing(login.output) }
  }

  func startBus() throws {
    guard bus == nil else { return }
    // That of the test before may still be about to end, and takes its socket along.
    try host.wait("the end of the bus before") { !PrivateHost.listens("\(runtime)/bus") }
    bus = try Child(
      [
        "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile",
        "--address=unix:path=\(runtime)/bus",
      ],
      environment: [
        "HOME": home, "USER": Self.name, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime,
      ], user: Self.user)
    try host.wait("the session bus") { PrivateHost.listens("\(runtime)/bus") }
  }

  /// The account's own session is at the seat, in the place of the greeter.
  func startSession() throws {
    try host.setProperties([("Active", .bool(false))], of: "g1")
    try host.addSession("c1", user: Self.user, name: Self.name)
    try host.wait("the session") { try whorl(["status"]).output.contains("session      unlocked") }
  }

  func whorl(_ words: [String], input: String = "") throws -> CommandResult {
    try host.whorl(words, input: input, user: Self.user)
  }

  func add(_ name: String, _ kind: String, access: String = "none") throws {
    let result = try whorl(["add", name, "--access", access, "--class", kind], input: name)
    #expect(result.status == 0, "\(result.error)")
  }

  func reads(_ name: String) throws -> Bool { try whorl(["read", name]).output == name }

  /// Ends everything the account runs.
  func logOut() {
    bus = nil
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let pid = pid_t(name), let facts = FileFacts(path: "/proc/\(pid)"),
        facts.owner == Self.user
      else { continue }
      kill(pid, SIGKILL)
    }
    _ = try? host.run(["/bin/sh", "-c", "rm -rf \(runtime)/*"])
  }

  /// A program of the account in its session.
  func inSession(_ words: [String], input: String = "") throws -> CommandResult {
    try startBus()
    return try host.run(
      environment([
        "HOME=\(home)", "USER=\(Self.name)", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(runtime)/bus",
      ]) + words, input: input, user: Self.user)
  }

  /// A program of the account on a terminal in its session.
  func terminal(_ words: [String]) throws -> Terminal {
    try startBus()
    return try host.terminal(
      program: environment([
        "HOME=\(home)", "USER=\(Self.name)", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(runtime)/bus",
      ]) + words, user: Self.user)
  }

  /// What the Secret Service says of the login keyring.
  func keyringIsLocked() throws -> Bool {
    let result = try inSession([
      "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
      "/org/freedesktop/secrets/collection/login", "org.freedesktop.DBus.Properties.Get",
      "string:org.freedesktop.Secret.Collection", "string:Locked",
    ])
    guard result.output.contains("boolean") else {
      throw PrivateHost.Missing("no login keyring: \(result.error)")
    }
    return result.output.contains("boolean true")
  }

  func store(_ secret: String) throws {
    let result = try inSession(
      ["/usr/bin/secret-tool", "store", "--label=test", "what", "test"], input: secret)
    #expect(result.status == 0, "\(result.error)")
  }

  func stored() throws -> String {
    try inSession(["/usr/bin/secret-tool", "lookup", "what", "test"]).output
  }

  /// To enable it takes the password.
  func keyring(_ action: String) throws -> String {
    if action == "enable" {
      let terminal = try host.terminal(["login-keyring", action], user: Self.user)
      if terminal.shows("Type your password: ", within: 8) { terminal.type(password + "\n") }
      guard try terminal.status() == 0 else { throw PrivateHost.Missing(terminal.output) }
      return terminal.output
    }
    let result = try host.whorl(["login-keyring", action], user: Self.user)
    guard result.status == 0 else { throw PrivateHost.Missing(result.error) }
    return result.output
  }

  /// Waits until the daemon has checked a captured password.
  func waitForState(_ text: String) throws {
    var last = ""
    do {
      try host.wait("the login keyring to be \(text)") {
        last = try keyring("status")
        return last.hasPrefix(text)
      }
    } catch { throw PrivateHost.Missing("\(error), it is \(last), \(host.log("whorld"))") }
  }
}
