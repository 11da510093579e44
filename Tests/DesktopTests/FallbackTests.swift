import Glibc
import TestHost
import Testing

/// What keeps a touch from logging in leaves the password, soon.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class FallbackTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
  }

  private func finishByPassword(_ login: Terminal, seconds: Double = 7) throws {
    try login.expect("assword: ", seconds: seconds)
    login.type(desktop.password + "\n")
    try login.expect("successfully opened a session")
    #expect(try login.status() == 0)
  }

  @Test func `a wrong finger falls to the password`() throws {
    let login = try desktop.logIn()
    try login.expect("Touch the fingerprint reader")
    try host.scan("mallory")
    try login.expect("The finger was not recognized. Try again")
    for _ in 0..<2 { try host.scan("mallory") }
    try login.expect("Use your password")
    try finishByPassword(login)
  }

  @Test func `no reader falls to the password at once`() throws {
    host.stop("fprintd")
    try host.startFingerprints(drivers: "none")
    try finishByPassword(try desktop.logIn(), seconds: 6)
  }

  @Test func `no fprintd falls to the password`() throws {
    host.stop("fprintd")
    try finishByPassword(try desktop.logIn())
  }

  @Test func `no finger enrolled falls to the password at once`() throws {
    try host.delete(finger: "right-index-finger", user: Desktop.name)
    try finishByPassword(try desktop.logIn(), seconds: 6)
  }

  @Test func `a person who does nothing gets the password after the timeout`() throws {
    try desktop.write(
      stack: Desktop.loginStack.replacingOccurrences(of: "timeout=8", with: "timeout=1"))
    let login = try desktop.logIn()
    try login.expect("Touch the fingerprint reader")
    try finishByPassword(login)
  }

  @Test(arguments: [SIGTERM, SIGSTOP])
  func `a daemon that ended or hangs falls to the password`(signal: Int32) throws {
    host.stop("whorld", signal: signal)
    try finishByPassword(try desktop.logIn())
    host.stop("whorld", signal: SIGCONT)
  }

  @Test func `a daemon that hangs while a finger is waited for falls to the password`() throws {
    try desktop.write(
      stack: Desktop.loginStack.replacingOccurrences(of: "timeout=8", with: "timeout=3"))
    let login = try desktop.logIn()
    try host.waitForVerification()
    host.stop("whorld", signal: SIGSTOP)
    try finishByPassword(login, seconds: 5)
    host.stop("whorld", signal: SIGCONT)
  }

  @Test func `no pass without the password or the finger`() throws {
    let login = try desktop.logIn(["authenticate"])
    try host.scan("mallory")
    for _ in 0..<2 { try host.scan("mallory") }
    try login.expect("assword: ")
    login.type("guess\n")
    #expect(try login.status() != 0)
  }

  /// The daemon's own check of a password runs a stack into which an administrator may have
  /// included the one with our module.
  @Test func `a stack that includes the module within the daemon's own does not recurse`() throws {
    try host.passcodeService(
      "auth sufficient \(Modules.whorl()) verify socket=\(host.socket)\nauth required pam_unix.so")
    // A captured password is checked by that stack.
    #expect(try desktop.keyring("enable").contains("waiting"))
    try desktop.logInByPassword()
    try desktop.waitForState("on: a touch")
    #expect(!host.isVerifying)
  }

  @Test func `a touch after an abandoned password counts no failure`() throws {
    let counter = "dir=\(host.folder)/faillock deny=1"
    try desktop.run("mkdir \(host.folder)/faillock")
    try desktop.write(
      stack: """
        auth required pam_faillock.so preauth \(counter)
        auth [success=3 default=ignore] @MODULE@ verify timeout=8
        auth [success=2 conv_err=die authtok_err=die default=ignore] pam_unix.so nodelay
        auth [default=die] pam_faillock.so authfail \(counter)
        auth requisite pam_deny.so
        auth required pam_faillock.so authsucc \(counter)
        auth required pam_permit.so
        account required pam_faillock.so \(counter)
        account required pam_unix.so
        """)
    func failures() throws -> Int {
      try host.run([
        "/usr/sbin/faillock", "--dir", "\(host.folder)/faillock", "--user", Desktop.name,
      ])
      .output.split(separator: "\n").filter { $0.hasSuffix(" V") }.count
    }
    host.stop("fprintd", signal: SIGSTOP)
    for _ in 0..<2 {
      let login = try desktop.logIn(["authenticate"])
      try login.expect("assword: ")
      login.type("\u{4}")
      #expect(try login.status() != 0)
    }
    host.stop("fprintd", signal: SIGCONT)
    #expect(try failures() == 0)
    let login = try desktop.logIn(["authenticate", "acct_mgmt"])
    try host.scan("alice")
    #expect(try login.status() == 0, "\(login.output)")
    #expect(try failures() == 0)
    // It does count.
    host.stop("fprintd", signal: SIGSTOP)
    let wrong = try desktop.logIn(["authenticate"])
    try wrong.expect("assword: ")
    wrong.type("guess\n")
    #expect(try wrong.status() != 0)
    #expect(try failures() == 1)
    host.stop("fprintd", signal: SIGCONT)
  }
}
