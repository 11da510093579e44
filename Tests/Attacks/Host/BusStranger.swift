import Foundation
import TestHost

/// A program on the host's bus that is neither fprintd nor logind, run by an ordinary user.
enum BusStranger {
  /// Sends a signal to every connection of the bus but the bus itself, past all match rules, as
  /// any user may.
  static let signal = """
    import dbus, dbus.bus, dbus.lowlevel, sys
    bus = dbus.bus.BusConnection(sys.argv[1])
    path, interface, member = sys.argv[2:5]
    names = bus.list_names()
    for name in [str(n) for n in names if str(n).startswith(':')]:
        message = dbus.lowlevel.SignalMessage(path, interface, member)
        message.append(signature=sys.argv[5], *eval(sys.argv[6]))
        message.set_destination(name)
        bus.send_message(message)
    bus.flush()
    print('sent to', len(names), flush=True)
    """

  /// Waits in line for fprintd's name; once it owns it, it claims that every finger matches.
  static let impostor = """
    import dbus, dbus.bus, dbus.lowlevel, sys, time
    bus = dbus.bus.BusConnection(sys.argv[1])
    owned = bus.request_name('net.reactivated.Fprint')
    print('waits' if owned == 2 else 'owns', flush=True)
    while bus.get_name_owner('net.reactivated.Fprint') != bus.get_unique_name():
        time.sleep(0.001)
    for _ in range(200):
        message = dbus.lowlevel.SignalMessage(
            sys.argv[2], 'net.reactivated.Fprint.Device', 'VerifyStatus')
        message.append('verify-match', True, signature='sb')
        bus.send_message(message)
        bus.flush()
        time.sleep(0.005)
    print('told', flush=True)
    time.sleep(60)
    """
}

extension PrivateHost {
  /// Has an ordinary user send a signal to everyone on the bus, in the shape of somebody else's.
  /// - Parameter arguments: a Python list.
  func forge(
    _ interface: String, _ member: String, at path: String, signature: String,
    _ arguments: String, user: uid_t? = PrivateHost.other
  ) throws {
    let result = try run(
      [
        "/usr/bin/python3", "-c", BusStranger.signal, busAddress, path, interface, member,
        signature, arguments,
      ], user: user)
    guard result.status == 0, result.output.contains("sent to") else {
      throw Missing(result.error)
    }
  }
}
