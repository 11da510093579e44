import Glibc
import TestHost
import Testing

/// The protection classes at work: what the state of the session, the first proof of the password
/// and the password itself decide.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class AccessibilityTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.startSession()
    for (name, kind) in [("open", "whenUnlocked"), ("later", "afterFirstUnlock")] {
      try desktop.add(name, kind)
    }
  }

  @Test func `locked, whenUnlocked is refused and afterFirstUnlock reads`() throws {
    try desktop.logInByPassword()
    #expect(try desktop.reads("open") && desktop.reads("later"))
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.wait("the lock") { try !desktop.reads("open") }
    #expect(try desktop.whorl(["read", "open"]).status == 36)
    try host.wait("the proof") { try desktop.reads("later") }
    #expect(try !desktop.reads("open"))
    try host.setProperties([("LockedHint", .bool(false))], of: "c1")
    try host.wait("the unlock") { try desktop.reads("open") }
  }

  @Test func `afterFirstUnlock waits for the password, not for a session`() throws {
    // Nobody has given the password since boot; what is open anyway is not held back.
    #expect(try desktop.reads("later"))
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.wait("the lock") { try !desktop.reads("open") }
    #expect(try desktop.whorl(["read", "later"]).status == 36)
    try desktop.logInByPassword()
    try host.wait("the proof") { try desktop.reads("later") }
    try host.restartDaemon()
    #expect(try desktop.reads("later"))
    #expect(try !desktop.reads("open"))
  }

  private func lock() throws {
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.wait("the lock") { try !desktop.reads("open") }
    #expect(try desktop.whorl(["read", "later"]).status == 36)
  }

  @Test func `a login by touch that opens its session is the first unlock`() throws {
    try lock()
    let login = try desktop.logIn()
    try desktop.touch("alice")
    #expect(try login.status() == 0, "\(login.output)")
    try host.wait("the first unlock") { try desktop.reads("later") }
    try host.setProperties([("LockedHint", .bool(false))], of: "c1")
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.wait("the lock") { try !desktop.reads("open") }
    #expect(try desktop.reads("later"))
    try host.restartDaemon()
    #expect(try desktop.reads("later"))
    #expect(try !desktop.reads("open"))
  }

  @Test func `a session that nobody authenticated for is no unlock, nor is a login without one`()
    throws
  {
    try lock()
    #expect(try desktop.logIn(["open_session", "close_session"]).status() == 0)
    #expect(try desktop.whorl(["read", "later"]).status == 36)
    let login = try desktop.logIn(["authenticate"])
    try desktop.touch("alice")
    #expect(try login.status() == 0, "\(login.output)")
    // It ended the lock; the desktop locks again.
    try host.setProperties([("LockedHint", .bool(false))], of: "c1")
    try lock()
    // Another program than the one that authenticated.
    #expect(try desktop.logIn(["open_session"]).status() == 0)
    #expect(try desktop.whorl(["read", "later"]).status == 36)
  }

  @Test func `where the password comes first after boot, a touch is no first unlock`() throws {
    try lock()
    let login = try desktop.logIn()
    try desktop.touch("alice")
    #expect(try login.status() == 0, "\(login.output)")
    try host.wait("the first unlock") { try desktop.reads("later") }
    #expect(try host.whorl(["rules", "passcode-after-boot=on"], user: nil).status == 0)
    try host.setProperties([("LockedHint", .bool(false))], of: "c1")
    try lock()
  }

  @Test func `a password given to the daemon is a proof too`() throws {
    try desktop.add("gated", "whenUnlocked", access: "devicePasscode")
    let read = try host.terminal(["read", "gated"], user: Desktop.user)
    try read.expect("Type your password: ")
    read.type(desktop.password + "\n")
    #expect(try read.status() == 0)
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.wait("the lock") { try !desktop.reads("open") }
    #expect(try desktop.reads("later"))
  }

  @Test(arguments: ["lock", "signal"])
  func `a lock holds until a login or the desktop's unlock, whoever asks for one`(how: String)
    throws
  {
    if how == "lock" {
      #expect(try desktop.whorl(["lock"]).status == 0)
    } else {
      try host.lockSession("c1", true)
    }
    try host.wait("the lock") { try !desktop.reads("open") }
    // Any program of the account may ask logind for this.
    try host.lockSession("c1", false)
    #expect(try desktop.whorl(["status"]).output.contains("by a locker that does not say"))
    #expect(try desktop.whorl(["doctor"]).output.contains("its locker never says so"))
    #expect(try !desktop.reads("open"))
    let login = try desktop.logIn(["authenticate"])
    try desktop.touch("alice")
    #expect(try login.status() == 0, "\(login.output)")
    #expect(try desktop.reads("open"))
  }

  @Test func `a locker run by the account itself unlocks nothing`() throws {
    #expect(try desktop.whorl(["lock"]).status == 0)
    try desktop.write(
      stack: "auth sufficient @MODULE@ verify\nauth required pam_deny.so\n", as: "swaylock")
    let locker = try desktop.terminal([
      "/usr/bin/pamtester", "swaylock", Desktop.name, "authenticate",
    ])
    try desktop.touch("alice")
    #expect(try locker.status() == 0, "\(locker.output)")
    #expect(try !desktop.reads("open"))
  }

  @Test func `no session at all is locked`() throws {
    try desktop.logInByPassword()
    try host.setProperties([("State", .string("closing"))], of: "c1")
    try host.wait("the end") { try !desktop.reads("open") }
    try host.wait("the proof") { try desktop.reads("later") }
  }

  @Test func `items kept while there is a password die with it`() throws {
    try desktop.add("bound", "whenPasscodeSetThisDeviceOnly")
    #expect(try desktop.reads("bound"))
    try desktop.run("usermod -L \(Desktop.name)")
    try host.wait("the locked password") { try desktop.whorl(["read", "bound"]).status == 251 }
    try desktop.run("usermod -U \(Desktop.name)")
    try host.wait("the password again") { try desktop.reads("bound") }
    try desktop.run("passwd -d \(Desktop.name)")
    try host.wait("the end of the item") { try desktop.whorl(["show", "bound"]).status == 44 }
    try desktop.run("printf '%s:%s\\n' \(Desktop.name) '\(desktop.password)' | chpasswd -c SHA512")
    #expect(try desktop.whorl(["read", "bound"]).status == 44)
    #expect(try desktop.reads("open"))
    #expect(try desktop.whorl(["log"]).output.contains("delete \"bound\""))
  }
}
