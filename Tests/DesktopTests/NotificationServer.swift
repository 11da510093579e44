import Foundation
import Glibc
import TestHost

/// Who shows notifications on the person's session bus, and writes down what it was told.
final class NotificationServer {
  let child: Child
  private let desktop: Desktop
  private let path: String

  init(_ desktop: Desktop) throws {
    self.desktop = desktop
    try desktop.startBus()
    path = "\(desktop.runtime)/notifications"
    child = try Child(
      [
        "/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon",
        "--logfile", path,
      ],
      environment: [
        "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": desktop.runtime,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(desktop.runtime)/bus",
      ], user: Desktop.user)
    try desktop.host.wait("the notification server") {
      try desktop.inSession(
        Self.call("GetNameOwner string:org.freedesktop.Notifications", "org.freedesktop.DBus", "/")
      ).status == 0
    }
  }

  private static func call(_ words: String, _ name: String, _ path: String) -> [String] {
    let words = words.split(separator: " ").map(String.init)
    return ["/usr/bin/dbus-send", "--session", "--print-reply", "--dest=\(name)", path]
      + ["\(name).\(words[0])"] + words.dropFirst()
  }

  /// What it was told.
  var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  /// The same by lines: a call begins one, and its text may have more.
  var log: [String] { text.split(separator: "\n").map(String.init) }

  /// - Parameter reading: what asks; its end is none of waiting.
  func wait(for text: String, by reading: DesktopReading? = nil) throws {
    do {
      try desktop.host.wait(text) {
        if let reading, !reading.child.isRunning, !log.contains(where: { $0.contains(text) }) {
          throw PrivateHost.Missing("it ended: \(try reading.end())")
        }
        return log.contains { $0.contains(text) }
      }
    } catch { throw PrivateHost.Missing("\(error): \(log)") }
  }

  /// The person chooses an action of a notification.
  func choose(_ action: String, of number: Int) throws {
    try emit("ActionInvoked", "us", "[<uint32 \(number)>, <'\(action)'>]")
  }

  /// The person sends it away.
  func close(_ number: Int) throws {
    try emit("NotificationClosed", "uu", "[<uint32 \(number)>, <uint32 2>]")
  }

  private func emit(_ signal: String, _ signature: String, _ values: String) throws {
    let result = try desktop.inSession([
      "/usr/bin/gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications",
      "--object-path", "/org/freedesktop/Notifications", "--method",
      "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.Notifications", signal, signature,
      values,
    ])
    guard result.status == 0 else { throw PrivateHost.Missing(result.error) }
  }
}
