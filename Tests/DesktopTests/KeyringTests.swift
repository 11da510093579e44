import TestHost
import Testing

/// One touch opens the session and the keyring, by the real gnome-keyring and fprintd.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class KeyringTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    #expect(try desktop.keyring("enable").hasSuffix("waiting for your next login by password\n"))
    try desktop.logInByPassword()
    #expect(try !desktop.keyringIsLocked())
    try desktop.store("hunter2")
    try desktop.waitForState("on: a touch")
    desktop.logOut()
  }

  private func logInByTouch(_ finger: String = "alice") throws -> Terminal {
    let login = try desktop.logIn()
    try login.expect("Touch the fingerprint reader")
    try desktop.touch(finger)
    try login.expect("successfully opened a session")
    #expect(try login.status() == 0)
    #expect(!login.output.contains("assword"))
    return login
  }

  @Test func `a touch alone opens the session and the keyring`() throws {
    _ = try logInByTouch()
    #expect(try !desktop.keyringIsLocked())
    #expect(try desktop.stored() == "hunter2")
  }

  @Test func `to enable it takes the password, just then; disable and status never ask`() throws {
    _ = try desktop.keyring("disable")
    let refused = try desktop.whorl(["login-keyring", "enable"])
    #expect(refused.status == 36)
    let wrong = try host.terminal(["login-keyring", "enable"], user: Desktop.user)
    try wrong.expect("asks for \"a finger opens your login keyring from now on\"")
    try wrong.expect("Type your password: ")
    wrong.type("guess\n")
    try wrong.expect("Wrong password")
    wrong.interrupt()
    #expect(try wrong.status() == 128)
    #expect(try desktop.keyring("status").hasPrefix("off"))
    // What opened an item a moment ago does not count.
    try desktop.startSession()
    try desktop.add("mail", "whenUnlocked", access: "devicePasscode")
    let read = try host.terminal(["read", "mail"], user: Desktop.user)
    try read.expect("Type your password: ")
    read.type(desktop.password + "\n")
    #expect(try read.status() == 0)
    #expect(try desktop.whorl(["login-keyring", "enable"]).status == 36)
    #expect(try desktop.keyring("enable").contains("waiting"))
    #expect(try desktop.whorl(["log"]).output.contains("loginKeyring"))
    #expect(try desktop.whorl(["login-keyring", "status"]).status == 0)
    #expect(try desktop.whorl(["login-keyring", "disable"]).status == 0)
  }

  @Test func `a session of another program's that ends does not end the check`() throws {
    _ = try desktop.keyring("disable")
    _ = try desktop.keyring("enable")
    try desktop.logInByPassword()
    let other = try desktop.logIn(["close_session"])
    #expect(try other.status() == 0, "\(other.output)")
    try desktop.waitForState("on: a touch")
  }

  @Test func `a session that ends at once keeps the login secret too`() throws {
    _ = try desktop.keyring("disable")
    _ = try desktop.keyring("enable")
    let login = try desktop.logIn(
      ["authenticate", "acct_mgmt", "open_session", "close_session"],
      service: Desktop.passwordService)
    try login.expect("assword: ")
    login.type(desktop.password + "\n")
    #expect(try login.status() == 0, "\(login.output)")
    try desktop.waitForState("on: a touch")
  }

  @Test func `disabled again, a touch leaves the keyring locked`() throws {
    #expect(try desktop.keyring("disable").hasPrefix("off"))
    _ = try logInByTouch()
    #expect(try desktop.keyringIsLocked())
  }

  @Test func `changed fingerprints cannot release it, and a login by password re-arms`() throws {
    try host.enroll("bob", finger: "left-thumb", user: Desktop.name)
    #expect(try desktop.keyring("status").contains("changed"))
    let login = try desktop.logIn()
    try login.expect("Your fingerprints or your password changed. Use your password this once")
    try login.expect("assword: ")
    login.type(desktop.password + "\n")
    try login.expect("successfully opened a session")
    #expect(try !desktop.keyringIsLocked())
    try desktop.waitForState("on: a touch")
    desktop.logOut()
    _ = try logInByTouch("bob")
    #expect(try !desktop.keyringIsLocked())
    #expect(try desktop.stored() == "hunter2")
  }

  @Test func `after a change of the password by passwd, a touch still opens the keyring`() throws {
    try desktop.write(stack: Desktop.loginStack, as: "passwd")
    _ = try logInByTouch()
    // Only a keyring daemon that the desktop has made use of changes passwords.
    #expect(try !desktop.keyringIsLocked())
    let change = try desktop.terminal(["/usr/bin/passwd"])
    try change.expect("urrent password: ")
    change.type(desktop.password + "\n")
    desktop.password = "quite another word"
    for question in ["New password: ", "Retype new password: "] {
      try change.expect(question)
      change.type(desktop.password + "\n")
    }
    try change.expect("updated successfully")
    #expect(try change.status() == 0, "\(change.output)")
    try desktop.waitForState("on: a touch")
    desktop.logOut()
    _ = try logInByTouch()
    #expect(try !desktop.keyringIsLocked())
    #expect(try desktop.stored() == "hunter2")
  }

  @Test func `a password changed behind our back is not released`() throws {
    desktop.password = "quite another word"
    try desktop.run("printf '%s:%s\\n' \(Desktop.name) '\(desktop.password)' | chpasswd -c SHA512")
    #expect(try desktop.keyring("status").contains("changed"))
    let login = try desktop.logIn(["authenticate"])
    try login.expect("Use your password this once")
    try login.expect("assword: ")
    login.type(desktop.password + "\n")
    #expect(try login.status() == 0)
    try desktop.waitForState("on: a touch")
  }
}
