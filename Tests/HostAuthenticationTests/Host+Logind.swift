import HostAuthentication
import Systemd

/// The mocked logind.
extension Host {
  private static let name = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"

  func mock(_ member: String, _ arguments: [BusValue], path: String = root) throws {
    let result: Result<BusMessage, BusError> = try answer(member) { done in
      bus.call(
        Self.name, path: path, interface: "org.freedesktop.DBus.Mock", member: member, arguments,
        limit: 5000, completion: done)
    }
    _ = try result.get()
  }

  /// What dbusmock's template lacks: sessions by process.
  func sessions(ofProcesses table: [Int32: String]) throws {
    let rows = table.map { "\($0): '\($1)'" }.joined(separator: ", ")
    try mock(
      "AddMethod",
      [
        .string("org.freedesktop.login1.Manager"), .string("GetSessionByPID"), .string("u"),
        .string("o"),
        .string(
          """
          import dbus
          table = {\(rows)}
          if int(args[0]) not in table:
              raise dbus.exceptions.DBusException('none', \
          name='org.freedesktop.login1.NoSessionForPID')
          ret = '\(Self.root)/session/' + table[int(args[0])]
          """),
      ])
  }

  func addSession(
    _ id: String, seat: String = "seat0", uid: UInt32 = 5, active: Bool = true
  ) throws {
    try mock(
      "AddSession",
      [.string(id), .string(seat), .uint32(uid), .string("games"), .bool(active)])
  }

  func setSession(_ id: String, _ properties: [(String, BusValue)]) throws {
    try mock(
      "UpdateProperties",
      [.string("org.freedesktop.login1.Session"), .properties(properties)],
      path: "\(Self.root)/session/\(id)")
  }

  func setDisplay(_ id: String, uid: UInt32) throws {
    let value = BusValue.structure([
      .string(id), .objectPath("\(Self.root)/session/\(id)"),
    ])
    let result: Result<BusMessage, BusError> = try answer("Display") { done in
      bus.call(
        Self.name, path: "\(Self.root)/user/\(uid)",
        interface: "org.freedesktop.DBus.Properties", member: "Set",
        [.string("org.freedesktop.login1.User"), .string("Display"), .variant(value)],
        limit: 5000, completion: done)
    }
    _ = try result.get()
  }

  func session(_ id: String, calls member: String) throws {
    let result: Result<BusMessage, BusError> = try answer(member) { done in
      bus.call(
        Self.name, path: "\(Self.root)/session/\(id)",
        interface: "org.freedesktop.login1.Session", member: member, limit: 5000,
        completion: done)
    }
    _ = try result.get()
  }

  func prepareForSleep(_ begins: Bool) throws {
    try mock(
      "EmitSignal",
      [
        .string("org.freedesktop.login1.Manager"), .string("PrepareForSleep"), .string("b"),
        .array(of: "v", [.variant(.bool(begins))]),
      ])
  }

  func inhibitors() throws -> Int {
    let result: Result<BusMessage, BusError> = try answer("ListInhibitors") { done in
      bus.call(
        Self.name, path: Self.root, interface: "org.freedesktop.login1.Manager",
        member: "ListInhibitors", limit: 5000, completion: done)
    }
    return try result.get().body.first?.elements?.count ?? 0
  }
}
