import Foundation
import Glibc
import HostAuthentication
import Systemd

/// Sessions, as the logind mock tells them.
extension PrivateHost {
  private static let name = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let session = "org.freedesktop.login1.Session"

  /// A session of a user on a seat; processes of that user are in it.
  public func addSession(
    _ id: String, user: uid_t = PrivateHost.games, name: String = "games", seat: String = "seat0"
  ) throws {
    try mock("AddSession", [.string(id), .string(seat), .uint32(user), .string(name), .bool(true)])
    try setSession(id, user: user)
  }

  /// The session of a greeter on a seat, which no process of a test is in.
  public func addGreeter(_ id: String, seat: String = "seat0") throws {
    try mock("AddSession", [.string(id), .string(seat), .uint32(119), .string("gdm"), .bool(true)])
    try setProperties([("Class", .string("greeter"))], of: id)
  }

  /// Which session logind says a user's processes are in; empty for none.
  public func setSession(_ id: String, user: uid_t = PrivateHost.games) throws {
    try id.write(toFile: "\(folder)/session-\(user)", atomically: true, encoding: .utf8)
  }

  /// Which session logind says one process is in, whoever runs it.
  public func setSession(_ id: String, process: pid_t) throws {
    try id.write(toFile: "\(folder)/process-\(process)", atomically: true, encoding: .utf8)
  }

  /// Changes properties of a session as logind would, with its signal.
  public func setProperties(_ properties: [(String, BusValue)], of id: String) throws {
    try mock(
      "UpdateProperties", [.string(Self.session), .properties(properties)],
      path: "\(Self.root)/session/\(id)")
  }

  /// Which session is the user's display.
  public func setDisplay(_ id: String, user: uid_t) throws {
    let value = BusValue.structure([.string(id), .objectPath("\(Self.root)/session/\(id)")])
    _ = try call(
      "\(Self.root)/user/\(user)", "org.freedesktop.DBus.Properties", "Set",
      [.string("org.freedesktop.login1.User"), .string("Display"), .variant(value)])
  }

  /// Takes a session off its seat, as those of ssh are on none.
  public func takeSeat(of id: String) throws {
    let value = BusValue.structure([.string(""), .objectPath("/")])
    _ = try call(
      "\(Self.root)/session/\(id)", "org.freedesktop.DBus.Properties", "Set",
      [.string(Self.session), .string("Seat"), .variant(value)])
  }

  /// The desktop shows its lock screen, and lets the person in again.
  public func unlockSession(_ id: String) throws {
    for isLocked in [true, false] {
      try setProperties([("LockedHint", .bool(isLocked))], of: id)
    }
  }

  /// Sends logind's signal, as any program of the session's user may have it do.
  public func lockSession(_ id: String, _ isLocked: Bool) throws {
    _ = try call("\(Self.root)/session/\(id)", Self.session, isLocked ? "Lock" : "Unlock")
  }

  /// What logind says before a sleep and after it.
  public func announceSleep(_ begins: Bool) throws {
    try mock(
      "EmitSignal",
      [
        .string(Self.manager), .string("PrepareForSleep"), .string("b"),
        .array(of: "v", [.variant(.bool(begins))]),
      ])
  }

  /// SessionNew or SessionRemoved.
  public func announce(_ member: String, session id: String) throws {
    try mock(
      "EmitSignal",
      [
        .string(Self.manager), .string(member), .string("so"),
        .array(
          of: "v",
          [.variant(.string(id)), .variant(.objectPath("\(Self.root)/session/\(id)"))]),
      ])
  }

  /// How often Whorl holds a sleep back; fprintd does so too.
  public func inhibitors() throws -> Int {
    let all = try call(Self.root, Self.manager, "ListInhibitors").body.first?.elements ?? []
    return all.count { $0.elements?.dropFirst().first?.text == "Whorl" }
  }

  /// Whether logind fails where a program wants to hold a sleep back.
  public func refuseInhibitors(_ refuses: Bool) throws {
    let code =
      refuses
      ? "import dbus\nraise dbus.exceptions.DBusException('busy')"
      : "import dbusmock.templates.logind as logind\nret = logind.Inhibit(self, *args)"
    try mock(
      "AddMethod",
      [.string(Self.manager), .string("Inhibit"), .string("ssss"), .string("h"), .string(code)])
  }

  /// What dbusmock's template lacks.
  func addSessionByProcess() throws {
    let code = """
      import dbus, os
      def told(name):
          try: return open('\(folder)/' + name).read()
          except OSError: return ''
      pid = int(args[0])
      name = told('process-%d' % pid)
      if not name and os.path.exists('/proc/%d' % pid):
          name = told('session-%d' % os.stat('/proc/%d' % pid).st_uid)
      if not name:
          raise dbus.exceptions.DBusException('none', name='org.freedesktop.login1.NoSessionForPID')
      ret = '\(Self.root)/session/' + name
      """
    try mock(
      "AddMethod",
      [
        .string(Self.manager), .string("GetSessionByPID"), .string("u"), .string("o"),
        .string(code),
      ]
    )
  }

  private func mock(
    _ member: String, _ arguments: [BusValue], path: String = PrivateHost.root
  ) throws {
    _ = try call(path, "org.freedesktop.DBus.Mock", member, arguments)
  }

  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) throws -> BusMessage {
    let result: Result<BusMessage, BusError> = try answer(member) { done in
      bus.call(
        Self.name, path: path, interface: interface, member: member, arguments, limit: 5000,
        completion: done)
    }
    return try result.get()
  }
}
