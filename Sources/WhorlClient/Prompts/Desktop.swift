import Linux

/// The person's desktop, as a program's environment tells of it.
public enum Desktop {
  /// Whether this process belongs to one. What was started over the network does not: its person
  /// sits elsewhere, also where somebody of the same name sits here.
  public static var isThere: Bool {
    guard OwnProcess.trustedEnvironment("SSH_CONNECTION") == nil else { return false }
    return busAddress != nil || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")
  }

  private static func isSet(_ name: StaticString) -> Bool {
    OwnProcess.trustedEnvironment(name)?.isEmpty == false
  }

  /// The address of the session's bus; nil where there is none.
  public static var busAddress: [UInt8]? {
    if let address = OwnProcess.trustedEnvironment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return own(address)
    }
    guard let folder = OwnProcess.trustedEnvironment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
      return nil
    }
    return own(socket + folder + Array("/bus".utf8))
  }

  private static let socket = Array("unix:path=".utf8)

  /// The first of the addresses, where it is a socket that belongs to this process's user: what is
  /// asked for is not told to a bus of somebody else's.
  private static func own(_ addresses: [UInt8]) -> [UInt8]? {
    let address = addresses.prefix { $0 != UInt8(ascii: ";") }
    guard address.starts(with: socket) else { return nil }
    let path = address.dropFirst(socket.count).prefix { $0 != UInt8(ascii: ",") }
    guard path.first == UInt8(ascii: "/"), FileFacts(path: Array(path))?.owner == OwnProcess.user
    else { return nil }
    return Array(address)
  }
}
