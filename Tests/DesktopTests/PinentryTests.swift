import Foundation
import Glibc
import TestHost
import Testing

/// A program without a terminal: a password is asked for by pinentry. The real one, which is told of a
/// terminal in the place of a screen, and false ones for what it may do wrong.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class PinentryTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.startSession()
    try desktop.add("password", "whenUnlocked", access: "devicePasscode")
    try desktop.add("both", "whenUnlocked", access: "biometryAny | devicePasscode")
  }

  /// A terminal that no program reads, and its name.
  private func screen() throws -> (terminal: Terminal, name: String) {
    let terminal = try host.terminal(
      program: ["/bin/sh", "-c", "stty -echo; echo \"at $(tty).\"; exec sleep 60"],
      user: Desktop.user)
    try terminal.expect("at ")
    try terminal.expect(".")
    let name = try #require(terminal.output.firstMatch(of: /at ([^.]+)\./)?.1)
    return (terminal, String(name))
  }

  /// A folder that has the real pinentry for its own, on that terminal.
  ///
  /// - Parameter before: what its script does first.
  private func real(_ screen: String, _ before: String = "") throws -> String {
    guard access("/usr/bin/pinentry-curses", X_OK) == 0 else {
      throw PrivateHost.Missing("install the package pinentry-curses")
    }
    return try fake("\(before)exec /usr/bin/pinentry-curses --ttyname \(screen) --ttytype xterm")
  }

  private func fake(_ script: String) throws -> String {
    let tools = "\(host.folder)/tools"
    try desktop.run("mkdir -p \(tools)")
    try ("#!/bin/sh\n" + script + "\n").write(
      toFile: "\(tools)/pinentry", atomically: true, encoding: .utf8)
    chmod("\(tools)/pinentry", 0o755)
    return tools
  }

  private func read(_ name: String, _ tools: String) throws -> DesktopReading {
    try DesktopReading(["read", name], desktop, tools: tools)
  }

  /// Whether the person has a pinentry that still runs.
  private func runs() throws -> Bool {
    try desktop.run("pgrep -u \(Desktop.user) pinentry || true").output.isEmpty == false
  }

  @Test func `the real pinentry asks, again after a wrong password, and names program and item`()
    throws
  {
    let (terminal, name) = try screen()
    let reading = try read("password", real(name))
    try terminal.expect("asks for \"password\"")
    try terminal.expect("Password:")
    terminal.type("wrong\r")
    try terminal.expect("Wrong password")
    try terminal.expect("Password:")
    terminal.type("\(desktop.password)\r")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(terminal.output)")
    #expect(output == "password")
    #expect(!terminal.output.contains(desktop.password))
    try host.wait("pinentry to end") { try !runs() }
  }

  @Test func `a touch takes the dialog away`() throws {
    let (terminal, name) = try screen()
    let server = try NotificationServer(desktop)
    let reading = try read("both", real(name))
    try terminal.expect("Touch the fingerprint reader, or type your password")
    // The dialog says it all.
    try server.close(1)
    try desktop.touch("alice")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error)")
    #expect(output == "both")
    try host.wait("pinentry to end") { try !runs() }
  }

  @Test func `where nothing shows notifications, the password alone is asked for, and it is said`()
    throws
  {
    let (terminal, name) = try screen()
    let reading = try read("both", real(name))
    try terminal.expect("Type your password.")
    try terminal.expect("No touch is asked for")
    #expect(!terminal.output.contains("Touch the"))
    #expect((try? host.waitForVerification(seconds: 0.3)) == nil)
    terminal.type("wrong\r")
    try terminal.expect("Wrong password")
    #expect((try? host.waitForVerification(seconds: 0.3)) == nil)
    terminal.type("\(desktop.password)\r")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(terminal.output)")
    #expect(output == "both")
  }

  @Test(arguments: ["", "sleep 0.9; "])
  func `nor is a touch where the server of notifications does not answer`(before: String) throws {
    let (terminal, name) = try screen()
    let server = try NotificationServer(desktop)
    kill(server.child.pid, SIGSTOP)
    // A slow pinentry is given its time meanwhile.
    let reading = try read("both", real(name, before))
    try terminal.expect("No touch is asked for")
    terminal.type("\(desktop.password)\r")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(terminal.output)")
    #expect(output == "both")
  }

  @Test func `what needs a touch is not asked for by a dialog`() throws {
    try desktop.add("two", "whenUnlocked", access: "biometryAny & devicePasscode")
    let (_, name) = try screen()
    #expect(try read("two", real(name)).end().status == 36)
    #expect((try? host.waitForVerification(seconds: 0.1)) == nil)
  }

  @Test func `the dialog's cancel is one`() throws {
    let (terminal, name) = try screen()
    let reading = try read("password", real(name))
    try terminal.expect("Password:")
    // Over “OK”.
    terminal.type("\t\t\r")
    let (status, _, error) = try reading.end()
    #expect(status == 128, "\(error)")
  }

  @Test func `the password of an item is asked for by pinentry too`() throws {
    let adding = try host.terminal(
      ["add", "locked", "--access", "none + applicationPassword"], user: Desktop.user)
    try adding.expect(": ")
    adding.type("value\n")
    try adding.expect(": ")
    adding.type("value\n")
    try adding.expect(": ")
    adding.type("a % b\n")
    try adding.expect(": ")
    adding.type("a % b\n")
    #expect(try adding.status() == 0, "\(adding.output)")
    let (terminal, name) = try screen()
    let reading = try read("locked", real(name))
    try terminal.expect("Password of the item:")
    terminal.type("a b\r")
    try terminal.expect("Wrong password of the item.")
    terminal.type("a % b\r")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error) \(terminal.output)")
    #expect(output == "value")
  }

  @Test func `without a screen for the dialog only the touch is asked for`() throws {
    let server = try NotificationServer(desktop)
    let reading = try read("both", real("/nowhere"))
    try server.wait(for: "\"Touch the fingerprint reader\"")
    try desktop.touch("alice")
    #expect(try reading.end().output == "both")
  }

  private func refused(_ tools: String, within seconds: Double) throws {
    let start = ContinuousClock.now
    let (status, output, error) = try read("password", tools).end()
    #expect(status == 36, "\(error)")
    #expect(output.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(seconds))
    #expect(try !runs())
  }

  @Test func `without pinentry it is 36 at once`() throws {
    // A file of that name that is no program, and no other.
    let tools = try fake("exit 1")
    try refused(tools, within: 1)
    let reading = try DesktopReading(
      ["read", "password"], desktop, variables: ["PATH": "/nowhere"])
    #expect(try reading.end().status == 36)
  }

  @Test(arguments: [
    "sleep 60", "trap '' INT TERM; echo OK; while :; do sleep 1; done",
    "head -c 100000 /dev/zero; sleep 60",
    "echo OK; while read line; do echo D %4; done", "echo OK; while read line; do echo ERR x; done",
  ])
  func `a pinentry that hangs or talks nonsense is 36 soon, and does not stay`(
    script: String
  ) throws {
    try refused(fake(script), within: 4)
  }

  @Test(arguments: [
    "echo OK; while read line; do echo OK; done",
    "while :; do echo OK; done | head -c 5000; sleep 60",
  ])
  func `one that answers at once and for ever is heard a few times`(script: String) throws {
    let start = ContinuousClock.now
    let reading = try read("password", fake(script))
    let (status, _, error) = try reading.end()
    #expect(status == 128, "\(error)")
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test func `a password of any bytes arrives as it was typed`() throws {
    try desktop.run("printf '%s:%s\\n' \(Desktop.name) 'a%25 b%' | chpasswd -c SHA512")
    let script = """
      echo OK
      while read line; do
        case $line in
          GETPIN) echo 'S PASSWORD_FROM_CACHE'; echo 'D a%2525'; echo 'D  b%25'; echo OK;;
          *) echo OK;;
        esac
      done
      """
    let (status, output, error) = try read("password", fake(script)).end()
    #expect(status == 0, "\(error)")
    #expect(output == "password")
  }

  @Test func `an endless password is none`() throws {
    let script = """
      echo OK
      while read line; do
        case $line in
          GETPIN) for i in 1 2 3 4; do printf 'D %0500d\\n' 1; done; echo OK;;
          *) echo OK;;
        esac
      done
      """
    let reading = try read("password", fake(script))
    #expect(try reading.end(seconds: 8).status == 128)
  }
}
