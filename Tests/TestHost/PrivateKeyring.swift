import Foundation
import Glibc

/// gnome-keyring on a session bus of its own, both of one user.
public final class PrivateKeyring {
  private let host: PrivateHost
  private let folder: String
  private let user: uid_t?
  private var bus: Child?
  private var daemon: Child?
  private let variables: [String: String]

  /// What a client's environment needs.
  public var environment: [String] {
    ["/usr/bin/env"] + variables.map { "\($0)=\($1)" }.sorted()
  }

  public var busAddress: String { "unix:path=\(folder)/bus" }

  /// - Parameters:
  ///   - isEmpty: whether there is a bus and no keyring.
  ///   - user: whose it is; nil for root.
  public init(
    _ host: PrivateHost, isEmpty: Bool = false, user: uid_t? = PrivateHost.games
  ) throws {
    self.host = host
    self.user = user
    folder = host.folder + "/keyring"
    variables = [
      "HOME": folder, "XDG_RUNTIME_DIR": folder,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
    ]
    let keyrings = folder + "/.local/share/keyrings"
    try FileManager.default.createDirectory(atPath: keyrings, withIntermediateDirectories: true)
    // Else it asks on the desktop for a new keyring.
    try "login".write(toFile: keyrings + "/default", atomically: false, encoding: .utf8)
    try "sesame".write(toFile: folder + "/password", atomically: false, encoding: .utf8)
    try Self.configuration(folder).write(
      toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
    let result = try host.run(["/bin/chown", "-R", "\(user ?? 0)", folder])
    guard result.status == 0, chmod(folder, 0o700) == 0 else {
      throw PrivateHost.Missing("\(result.error)")
    }
    bus = try start([
      "/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile",
      "--nosyslog",
    ])
    try host.wait("the session bus") { PrivateHost.listens("\(folder)/bus") }
    if !isEmpty { try startDaemon() }
  }

  deinit {
    daemon?.end()
    bus?.end()
  }

  /// Starts gnome-keyring, unlocked, and again after it was stopped.
  public func startDaemon() throws {
    let input = open(folder + "/password", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    daemon = try start(
      ["/usr/bin/gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"], input)
    try host.wait("gnome-keyring") {
      try host.run(
        environment + [
          "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
          "/org/freedesktop/secrets/collection/login", "org.freedesktop.DBus.Peer.Ping",
        ], user: user
      ).status == 0
    }
  }

  /// Sends a signal to gnome-keyring; SIGKILL also waits for its end.
  public func stopDaemon(signal: Int32) {
    guard let daemon else { return }
    kill(daemon.pid, signal)
    if signal == SIGKILL { _ = daemon.status(seconds: 10) }
  }

  private func start(_ words: [String], _ input: Int32? = nil) throws -> Child {
    guard access(words[0], X_OK) == 0 else {
      throw PrivateHost.Missing("install the package that brings \(words[0])")
    }
    let environment = variables.merging(["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]) { $1 }
    return try Child(
      words, environment: environment, user: user, input: input,
      error: host.folder + "/keyring.log")
  }

  /// Without the folders of services to start: a second gnome-keyring would be one of them.
  private static func configuration(_ folder: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
      </policy>
    </busconfig>
    """
  }
}
