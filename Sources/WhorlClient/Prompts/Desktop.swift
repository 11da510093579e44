import Linux

/// The person's desktop, as a program's environment tells of it.
public enum Desktop {
  /// Whether this process belongs to one. What was started over the network does not: its person
  /// sits elsewhere, also where somebody of the same name sits here.
  public static var isThere: Bool {
    guard OwnProcess.trustedEnvironment("SSH_CONNECTION") == nil else { return false }
    return busAddress != nil
      || ["DISPLAY", "WAYLAND_DISPLAY", "GPG_TTY"].contains {
        OwnProcess.trustedEnvironment($0)?.isEmpty == false
      }
  }

  /// The address of the session's bus; nil where there is none.
  public static var busAddress: [UInt8]? {
    if let address = OwnProcess.trustedEnvironment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return address
    }
    guard let folder = OwnProcess.trustedEnvironment("XDG_RUNTIME_DIR"), !folder.isEmpty,
      FileFacts(path: folder + Array("/bus".utf8)) != nil
    else { return nil }
    return Array("unix:path=".utf8) + folder + Array("/bus".utf8)
  }
}
