import Foundation
import Glibc
import TestHost

/// A command of the person's without a terminal and without a session's environment; it waits for a
/// byte before it begins, so that an agent for it can be there first.
final class GatedCommand {
  let child: Child
  private let gate: Int32
  private let output: String

  init(_ words: [String], _ host: PrivateHost, user: uid_t = Desktop.user) throws {
    output = "\(host.folder)/\(UUID().uuidString)"
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PrivateHost.Missing("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    gate = ends[1]
    let target = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    child = try Child(
      ["/bin/sh", "-c", "head -c1 >/dev/null; exec \"$0\" \"$@\"", host.command] + words,
      environment: ["PATH": "/usr/bin:/bin", "WHORL_SOCKET": host.socket, "LANG": "C.UTF-8"],
      user: user, input: ends[0], output: target, error: output + ".err")
    close(target)
    close(ends[0])
  }

  deinit { close(gate) }

  func begin() { _ = write(gate, "\n", 1) }

  func end(seconds: Double = 10) throws -> (status: Int32, output: String, error: String) {
    try child.result(in: output, seconds: seconds)
  }
}
