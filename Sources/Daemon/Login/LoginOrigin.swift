import Linux
import Wire

/// Where a login is, in the words of the login program, which root runs.
struct LoginOrigin: Equatable {
  /// PAM_TTY and PAM_RHOST.
  private let terminal: [UInt8]
  private let remoteHost: [UInt8]

  init(_ login: Login) {
    terminal = login.terminal
    remoteHost = login.remoteHost
  }

  var isLocal: Bool { remoteHost.isEmpty || remoteHost == Array("localhost".utf8) }

  /// Whether its terminal is the console that is shown.
  ///
  /// - Parameter path: the kernel's file that names it, without the folder.
  func isOn(terminalNamedIn path: String) -> Bool {
    let folder = Array("/dev/".utf8)
    let name = terminal.starts(with: folder) ? terminal.dropFirst(folder.count) : terminal[...]
    guard !name.isEmpty, let shown = SmallFile.text(path, limit: 64) else { return false }
    return shown.utf8.split(separator: UInt8(ascii: "\n")).first?.elementsEqual(name) == true
  }
}
