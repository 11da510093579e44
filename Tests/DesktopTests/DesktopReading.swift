import Foundation
import Glibc
import TestHost

/// A command of the person's in the session's environment, without a terminal, which goes on while
/// the test does.
final class DesktopReading {
  let child: Child
  private let output: String

  /// - Parameters:
  ///   - tools: a folder whose programs stand before all others; pinentry is one.
  ///   - program: nil for the command line.
  ///   - variables: more of the environment; an empty one is left out.
  init(
    _ words: [String], _ desktop: Desktop, program: String? = nil, tools: String = "",
    variables: [String: String] = [:]
  ) throws {
    try desktop.startBus()
    output = "\(desktop.host.folder)/\(UUID().uuidString)"
    let target = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(target) }
    let environment = [
      "PATH": tools.isEmpty ? "/usr/bin:/bin" : "\(tools):/usr/bin:/bin", "HOME": desktop.home,
      "USER": Desktop.name, "LANG": "C.UTF-8", "TERM": "xterm", "WHORL_SOCKET": desktop.host.socket,
      "XDG_RUNTIME_DIR": desktop.runtime,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(desktop.runtime)/bus",
    ].merging(variables) { $1 }
    child = try Child(
      [program ?? desktop.host.command] + words,
      environment: environment.filter { !$0.value.isEmpty },
      user: Desktop.user, output: target, error: output + ".err")
  }

  func end(seconds: Double = 10) throws -> (status: Int32, output: String, error: String) {
    try child.result(in: output, seconds: seconds)
  }
}
