import Glibc
import TestHost
import Testing

/// The administrator's rules: when a finger does not do.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class RuleTests {
  private func asksForPassword(_ desktop: Desktop) throws {
    let login = try desktop.logIn(["authenticate"])
    try login.expect("assword: ")
    #expect(!login.output.contains("Touch"))
    login.type(desktop.password + "\n")
    #expect(try login.status() == 0)
  }

  private func touches(_ desktop: Desktop) throws {
    let login = try desktop.logIn(["authenticate"])
    try desktop.touch("alice")
    #expect(try login.status() == 0, "\(login.output)")
  }

  @Test func `after five fingers that do not match only the password does`() throws {
    let desktop = try Desktop()
    try desktop.startSession()
    try desktop.add("finger", "whenUnlocked", access: "biometryAny")
    for _ in 0..<2 {
      let login = try desktop.logIn(["authenticate"])
      for _ in 0..<3 { try desktop.host.scan("mallory") }
      try login.expect("assword: ")
      login.type("\u{4}")
      _ = try login.status()
    }
    #expect(try desktop.whorl(["status"]).output.contains("locked out"))
    let read = try desktop.host.terminal(["read", "finger"], user: Desktop.user)
    #expect(try read.status() == 248)
    try desktop.host.restartDaemon()
    let login = try desktop.logIn(["authenticate"])
    try login.expect("Too many fingers were not recognized. Use your password")
    try login.expect("assword: ")
    login.type(desktop.password + "\n")
    #expect(try login.status() == 0)
    try desktop.host.wait("the proof") {
      try desktop.whorl(["status"]).output.contains("fingerprint  ready")
    }
    try touches(desktop)
  }

  @Test func `after boot the password comes first, where the administrator says so`() throws {
    let desktop = try Desktop(["passcode-after-boot = on"])
    try asksForPassword(desktop)
    try desktop.startSession()
    try desktop.host.wait("the proof") {
      try desktop.whorl(["status"]).output.contains("fingerprint  ready")
    }
    try touches(desktop)
  }

  @Test func `after some hours the password comes again, where the administrator says so`() throws {
    let desktop = try Desktop(["passcode-after-hours = 24"])
    try desktop.startSession()
    try desktop.logInByPassword()
    try touches(desktop)
    // A day later, by the daemon's clock.
    desktop.host.stop("whorld", signal: SIGTERM)
    try desktop.host.startDaemon(
      prefix: ["/usr/bin/unshare", "--time", "--boottime", "86460", "--fork", "--kill-child"])
    #expect(try desktop.whorl(["status"]).output.contains("the administrator wants the password"))
    try asksForPassword(desktop)
    try desktop.host.wait("the proof") {
      try desktop.whorl(["status"]).output.contains("fingerprint  ready")
    }
  }
}
