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
    try host.scan(finger)
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
}
