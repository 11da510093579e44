import Foundation
import Glibc
import TestHost
import Testing

/// A program without a terminal: the touch is asked for by a notification.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class NotificationTests {
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.startSession()
    try desktop.add("finger", "whenUnlocked", access: "biometryAny")
    try desktop.add("presence", "whenUnlocked", access: "userPresence")
  }

  @Test func `a touch is asked for by a notification that names program and item`() throws {
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(["read", "finger"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    #expect(server.text.contains("\"\(host.command)\" (unverified) asks for \"finger\"."))
    try desktop.touch("alice")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error)")
    #expect(output == "finger")
    try server.wait(for: "CloseNotification")
  }

  @Test func `what happens meanwhile stands in the same notification`() throws {
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(["read", "finger"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    try desktop.touch("mallory")
    try server.wait(for: "The finger does not match. Try again.")
    let line = try #require(server.log.last { $0.contains("Try again") })
    #expect(line.contains("Notify \"Whorl\" 1 "), "\(line)")
    try desktop.touch("alice")
    #expect(try reading.end().status == 0)
    try server.wait(for: "CloseNotification 1")
  }

  @Test func `where polkit has no agent, presence is shown by a touch`() throws {
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(
      ["read", "presence"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    try desktop.touch("alice")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error)")
    #expect(output == "presence")
  }

  @Test func `the notification's cancel ends the request`() throws {
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(["read", "finger"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    try server.choose("cancel", of: 1)
    let (status, output, error) = try reading.end()
    #expect(status == 128, "\(error)")
    #expect(output.isEmpty)
    try server.wait(for: "CloseNotification 1")
  }

  @Test func `a notification that is sent away ends the request`() throws {
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(["read", "finger"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    try server.close(2)
    #expect(reading.child.isRunning)
    try server.close(1)
    let (status, output, error) = try reading.end()
    #expect(status == 128, "\(error)")
    #expect(output.isEmpty)
  }

  @Test func `a helper that somebody else could have put there is not started`() throws {
    let server = try NotificationServer(desktop)
    let folder = "\(host.folder)/apart"
    try desktop.run("mkdir -m 755 \(folder)")
    try host.copy(host.command, "\(folder)/whorl")
    try host.installHelper("whorl-prompt", in: folder)
    let plants = [
      "chmod 777 \(folder)", "chmod 775 \(folder)/whorl-prompt",
      "chown \(PrivateHost.games) \(folder)/whorl-prompt", "chown \(PrivateHost.games) \(folder)",
    ]
    for plant in plants {
      try desktop.run(plant)
      try refused(
        DesktopReading(["read", "finger"], desktop, program: "\(folder)/whorl"), within: 1)
      try desktop.run("chown -R 0 \(folder) && chmod -R 755 \(folder)")
    }
    let reading = try DesktopReading(["read", "finger"], desktop, program: "\(folder)/whorl")
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    try desktop.touch("alice")
    #expect(try reading.end().status == 0)
  }

  @Test func `another user's bus is not told what is asked for`() throws {
    let server = try NotificationServer(desktop)
    try desktop.run("chown \(PrivateHost.games) \(desktop.runtime)/bus")
    for variables in [[:], ["DBUS_SESSION_BUS_ADDRESS": ""]] {
      try refused(
        DesktopReading(["read", "finger"], desktop, variables: variables), within: 1)
    }
    #expect(!server.log.contains { $0.contains("Notify") })
  }

  @Test func `code written for Apple's systems asks so too, with its own words`() throws {
    let server = try NotificationServer(desktop)
    let program = "\(host.folder)/apple-client-6"
    try host.copy("\(PrivateHost.programs)/apple-client-6", program)
    let storing = try DesktopReading(["store-current-set", "mail"], desktop, program: program)
    #expect(try storing.end().output == "0\n")
    let reading = try DesktopReading(["read", "mail"], desktop, program: program)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    #expect(server.text.contains("\"\(program)\" (unverified) asks for"))
    #expect(server.text.contains("It says: \"to show it\""))
    try desktop.touch("alice")
    let (status, output, error) = try reading.end()
    #expect(status == 0, "\(error)")
    #expect(output.contains("secret of mail"), "\(output)")
  }

  @Test func `markup in a name is shown as characters`() throws {
    try desktop.add("<b>&\u{202e}\n", "whenUnlocked", access: "biometryAny")
    let server = try NotificationServer(desktop)
    let reading = try DesktopReading(["read", "<b>&\u{202e}\n"], desktop)
    try server.wait(for: "Touch the fingerprint reader", by: reading)
    #expect(!server.text.contains("<b>") && !server.text.contains("\u{202e}"))
    #expect(server.text.contains("asks for \"\\u{3c}b>\\u{26}\\u{202e}\\u{a}\"."))
    try desktop.touch("alice")
    #expect(try reading.end().status == 0)
  }

  @Test func `with nobody who shows notifications it is 36 at once`() throws {
    try refused(DesktopReading(["read", "finger"], desktop), within: 1)
    try refused(
      DesktopReading(
        ["read", "finger"], desktop, variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]),
      within: 1)
    try refused(
      DesktopReading(
        ["read", "finger"], desktop, variables: ["DBUS_SESSION_BUS_ADDRESS": "nonsense"]), within: 1
    )
  }

  @Test func `a server that does not answer is 36 within two seconds`() throws {
    let server = try NotificationServer(desktop)
    kill(server.child.pid, SIGSTOP)
    try refused(DesktopReading(["read", "finger"], desktop), within: 2.5)
  }

  @Test func `a bus that does not answer is 36 within two seconds`() throws {
    let path = "\(desktop.runtime)/mute"
    let mute = try Child(
      [
        "/usr/bin/python3", "-c",
        "import socket, time; s = socket.socket(socket.AF_UNIX); s.bind('\(path)'); s.listen(5); "
          + "time.sleep(60)",
      ], environment: [:], user: Desktop.user)
    try host.wait("the socket") { access(path, F_OK) == 0 }
    try refused(
      DesktopReading(
        ["read", "finger"], desktop,
        variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"]), within: 2.5)
    withExtendedLifetime(mute) {}
  }

  @Test func `what was started over the network never asks on the desktop`() throws {
    let server = try NotificationServer(desktop)
    try refused(
      DesktopReading(
        ["read", "finger"], desktop, variables: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]),
      within: 1)
    #expect(!server.log.contains { $0.contains("Notify") })
  }

  private func refused(_ reading: DesktopReading, within seconds: Double) throws {
    let start = ContinuousClock.now
    let (status, output, error) = try reading.end()
    #expect(status == 36, "\(error)")
    #expect(output.isEmpty)
    #expect(ContinuousClock.now - start < .seconds(seconds))
  }
}
