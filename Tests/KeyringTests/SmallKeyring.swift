import Foundation
import TestHost

/// A small Secret Service on a host's session bus, whose person answers every prompt in one way.
final class SmallKeyring {
  private let notes: String
  private let child: Child

  /// - Parameter faults: what is amiss with which item, in the words of the script.
  init(_ it: KeyringHost, answering answer: String, faults: [String] = []) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/secret-service.py"
    notes = it.host.folder + "/keyring/prompts"
    child = try Child(
      it.keyring.environment + ["/usr/bin/python3", script, answer, notes] + faults,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], user: PrivateHost.games,
      error: it.host.folder + "/secret-service.log")
    try it.host.wait("the keyring") {
      try it.host.run(
        it.keyring.environment + [
          "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
          "/org/freedesktop/secrets", "org.freedesktop.DBus.Peer.Ping",
        ], user: PrivateHost.games
      ).status == 0
    }
  }

  deinit { child.end() }

  /// How often it asked.
  var prompts: Int {
    (try? String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n").count) ?? 0
  }
}
