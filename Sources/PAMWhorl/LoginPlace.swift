import CLinux
import CPAMModule

/// Who logs in, by which service and from where; nil where a touch has no business.
struct LoginPlace {
  /// Services whose password is another act than a login, or is checked for somebody else: none is
  /// captured or released there.
  private static var withoutSecret: [StaticString] {
    ["sudo", "sudo-i", "su", "su-l", "sshd", "polkit-1", "runuser", "runuser-l", "cron", "atd"]
  }

  private let user: [UInt8]
  private let service: [UInt8]
  private let terminal: [UInt8]

  /// - Returns: nil when the host is remote, the service is one of the daemon's own helpers, or a
  ///   name is too long to be one.
  init?(_ handle: Handle) {
    guard let host = handle.text(PAM_RHOST), host.isEmpty || Self.equals(host, "localhost"),
      let service = handle.text(PAM_SERVICE), !Self.hasPrefix(service, "whorl-"),
      let terminal = handle.text(PAM_TTY), let user = handle.user()
    else { return nil }
    self.user = user
    self.service = service
    self.terminal = terminal
  }

  /// Whether the service's password is that of a login.
  var handlesSecret: Bool { !Self.withoutSecret.contains { Self.equals(service, $0) } }

  func login(_ step: Login.Step) -> Login {
    Login(
      step, user: user, service: service, terminal: terminal,
      wantsSecret: step == .verify && handlesSecret && geteuid() == 0)
  }

  private static func equals(_ bytes: [UInt8], _ literal: StaticString) -> Bool {
    bytes.count == literal.utf8CodeUnitCount && hasPrefix(bytes, literal)
  }

  private static func hasPrefix(_ bytes: [UInt8], _ literal: StaticString) -> Bool {
    guard bytes.count >= literal.utf8CodeUnitCount else { return false }
    for index in 0..<literal.utf8CodeUnitCount {
      // SAFETY: within the literal.
      guard unsafe bytes[index] == literal.utf8Start[index] else { return false }
    }
    return true
  }
}
