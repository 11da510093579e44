import Foundation
import Glibc

/// Sessions, as the logind mock tells them.
extension PrivateHost {
  private static let root = "/org/freedesktop/login1"

  /// A session of a user on the seat; processes of that user are in it.
  public func addSession(
    _ id: String, user: uid_t = PrivateHost.games, name: String = "games", seat: String = "seat0"
  ) throws {
    try mock(
      Self.root, "AddSession", ["ssusb", id, seat, "\(user)", name, "true"])
    try setSession(id, user: user)
  }

  /// Which session logind says a user's processes are in; empty for none.
  public func setSession(_ id: String, user: uid_t = PrivateHost.games) throws {
    try id.write(toFile: "\(folder)/session-\(user)", atomically: true, encoding: .utf8)
  }

  /// Changes a property of a session as logind would, with its signal.
  public func setProperty(_ name: String, _ signature: String, _ value: String, of id: String)
    throws
  {
    try mock(
      "\(Self.root)/session/\(id)", "UpdateProperties",
      ["sa{sv}", "org.freedesktop.login1.Session", "1", name, signature, value])
  }

  public func lockSession(_ id: String, _ isLocked: Bool) throws {
    try call(
      "\(Self.root)/session/\(id)", "org.freedesktop.login1.Session", isLocked ? "Lock" : "Unlock")
  }

  /// What logind says before a sleep and after it.
  public func announceSleep(_ begins: Bool) throws {
    try mock(
      Self.root, "EmitSignal",
      [
        "sssav", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", "1", "b",
        begins ? "true" : "false",
      ])
  }

  func addSessionByProcess() throws {
    let code = """
      import dbus, os
      try: name = open('\(folder)/session-%d' % os.stat('/proc/%d' % args[0]).st_uid).read()
      except OSError: name = ''
      if not name: raise dbus.exceptions.DBusException('none', name='org.freedesktop.login1.NoSessionForPID')
      ret = '\(Self.root)/session/' + name
      """
    try mock(
      Self.root, "AddMethod",
      ["sssss", "org.freedesktop.login1.Manager", "GetSessionByPID", "u", "o", code])
  }

  private func mock(_ path: String, _ method: String, _ arguments: [String]) throws {
    try call(path, "org.freedesktop.DBus.Mock", method, arguments)
  }

  private func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [String] = []
  ) throws {
    let result = try run(
      [
        "/usr/bin/busctl", "--address=\(busAddress)", "call", "org.freedesktop.login1", path,
        interface, method,
      ] + arguments)
    guard result.status == 0 else { throw Missing("\(method): \(result.error)") }
  }
}
