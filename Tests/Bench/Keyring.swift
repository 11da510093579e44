import Foundation
import Glibc
import TestHost

/// gnome-keyring on a session bus of its own, with one item.
final class Keyring {
  /// keyring-client.c, as bench.sh compiled it.
  static let client = PrivateHost.programs + "/keyring-client"
  static let attributes = ["service", "bench", "account", "bench"]

  private let children: [Child]
  let environment: [String]

  init(_ host: PrivateHost) throws {
    let home = host.folder + "/home"
    let keyrings = home + "/.local/share/keyrings"
    try FileManager.default.createDirectory(
      atPath: keyrings, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Else it asks on the desktop for a new keyring.
    try "login".write(toFile: keyrings + "/default", atomically: false, encoding: .utf8)
    let address = "unix:path=\(host.folder)/session"
    let variables = [
      "PATH": "/usr/bin:/bin", "HOME": home, "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8",
      "DBUS_SESSION_BUS_ADDRESS": address,
    ]
    environment = variables.map { "\($0)=\($1)" }
    let socket = host.folder + "/session"
    try Self.configuration(address).write(
      toFile: socket + ".conf", atomically: false, encoding: .utf8)
    let bus = try Child(
      [
        "/usr/bin/dbus-daemon", "--config-file=\(socket).conf", "--nofork", "--nopidfile",
        "--nosyslog",
      ], environment: variables, error: socket + ".log")
    try host.wait("the session bus") { PrivateHost.listens(socket) }
    let password = host.folder + "/password"
    try "sesame".write(toFile: password, atomically: false, encoding: .utf8)
    let input = open(password, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    let daemon = try Child(
      ["/usr/bin/gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"],
      environment: variables, input: input, error: host.folder + "/keyring.log")
    children = [bus, daemon]
    let assignments = variables.map { "\($0)=\($1)" }
    try host.wait("gnome-keyring") {
      try host.run(
        ["/usr/bin/env"] + assignments + ["/usr/bin/secret-tool", "store", "--label=bench"]
          + Self.attributes, input: secretText
      ).status == 0
    }
  }

  /// Without the folders of services to start: a second gnome-keyring would be one of them.
  private static func configuration(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
      </policy>
    </busconfig>
    """
  }
}
