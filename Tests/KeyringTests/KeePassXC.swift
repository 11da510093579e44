import Foundation
import Glibc
import TestHost

/// A real KeePassXC on a host's session bus, without a screen; its database is open.
final class KeePassXC {
  struct Entry {
    let title: String
    let user: String
    let url: String
    let password: String
  }

  private let child: Child
  private static let program = "/usr/bin/keepassxc"
  private static let password = "sesame\n"

  init(_ it: KeyringHost, entries: [Entry] = []) throws {
    guard access(Self.program, X_OK) == 0 else {
      throw PrivateHost.Missing("install the package keepassxc")
    }
    let home = it.host.folder + "/keepassxc"
    let settings = home + "/.config/keepassxc"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    for (name, text) in [
      ("db.xml", Self.database(entries)), ("password", Self.password),
      (".config/keepassxc/keepassxc.ini", Self.settings),
    ] {
      try text.write(toFile: "\(home)/\(name)", atomically: false, encoding: .utf8)
    }
    let owner = try it.host.run(["/bin/chown", "-R", "\(PrivateHost.games)", home])
    guard owner.status == 0 else { throw PrivateHost.Missing(owner.error) }
    let made = try it.host.run(
      ["/usr/bin/env", "HOME=\(home)", "/usr/bin/keepassxc-cli", "import", "-p"]
        + ["\(home)/db.xml", "\(home)/db.kdbx"], input: Self.password + Self.password,
      user: PrivateHost.games, seconds: 30)
    guard made.status == 0 else { throw PrivateHost.Missing("\(made)") }
    let input = open(home + "/password", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    child = try Child(
      [Self.program, "--pw-stdin", "\(home)/db.kdbx"],
      environment: [
        "HOME": home, "XDG_RUNTIME_DIR": home, "TMPDIR": home, "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen",
        "DBUS_SESSION_BUS_ADDRESS": it.keyring.busAddress,
      ], user: PrivateHost.games, input: input, error: it.host.folder + "/keepassxc.log")
    try it.host.wait("KeePassXC's database") {
      try it.host.run(
        it.keyring.environment + [
          "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
          "/org/freedesktop/secrets/collection/db", "org.freedesktop.DBus.Properties.Get",
          "string:org.freedesktop.Secret.Collection", "string:Locked",
        ], user: PrivateHost.games
      ).output.contains("boolean false")
    }
  }

  deinit { child.end() }

  /// Whoever is on the bus may have what is in the database, and nobody is asked.
  private static let settings = """
    [General]
    ConfigVersion=2
    UpdateCheckMessageShown=true
    [GUI]
    CheckForUpdates=false
    [FdoSecrets]
    Enabled=true
    ShowNotification=false
    ConfirmDeleteItem=false
    ConfirmAccessItem=false
    """

  /// KeePass's plain form, with the group whose entries programs may see.
  private static func database(_ entries: [Entry]) -> String {
    let root = Data(repeating: 1, count: 16).base64EncodedString()
    let items = entries.enumerated().map { index, entry in
      let number = Data(repeating: UInt8(2 + index), count: 16).base64EncodedString()
      let fields = [
        ("Title", entry.title), ("UserName", entry.user), ("URL", entry.url),
        ("Password", entry.password),
      ].map { "<String><Key>\($0)</Key><Value>\($1)</Value></String>" }
      return "<Entry><UUID>\(number)</UUID>\(fields.joined())</Entry>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <KeePassFile><Meta><DatabaseName>Passwords</DatabaseName><CustomData><Item>
      <Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{01010101-0101-0101-0101-010101010101}</Value>
      </Item></CustomData></Meta><Root><Group><UUID>\(root)</UUID><Name>Root</Name>\(items.joined())
      </Group></Root></KeePassFile>
      """
  }
}
