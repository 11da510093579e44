import AccessControl
import Linux
import WhorlClient
import Wire

extension Command {
  static let status = Command(
    name: "status", synopsis: "[options]", summary: "say what can authenticate now, and why not",
    options: [.json]
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let keychain = Client.silentKeychain(arguments)
    let status = try attempt { () throws(KeychainError) in try keychain.status() }
    try Output.print(
      arguments.has("json") ? StatusText.json(status).encoded : StatusText.text(status))
    return 0
  }
}

enum StatusText {
  static func text(_ status: HostStatus) -> String {
    var lines = [
      "session      " + (status.isUnlocked ? "unlocked" : "locked")
        + (status.lacksLockHint ? ", by a locker that does not say when it ends" : ""),
      "password     " + (status.hasPasscode ? "set" : "the account has none"),
      "fingerprint  " + (status.biometryObstacle.map(explain) ?? "ready"),
    ]
    for print in status.prints {
      let written = CalendarClock.text(print.written)
      guard !print.finger.isEmpty else {
        lines.append(
          "  \(quoted(print.path)), which cannot be read as a fingerprint, of \(written)")
        continue
      }
      lines.append(
        "  \(FingerName.text(print.finger)), enrolled \(written), driver \(quoted(print.driver))")
      if print.isStoredOnDevice {
        lines.append(
          "    its template is in the sensor: a change made only there does not invalidate an item")
      }
    }
    if status.biometryObstacle == .notEnrolled {
      lines.append("Enroll a finger with “fprintd-enroll”.")
    }
    return lines.joined(separator: "\n")
  }

  static func explain(_ obstacle: BiometryObstacle) -> String {
    switch obstacle {
    case .noReader: "there is no reader"
    case .notEnrolled: "no finger is enrolled"
    case .lockout: "locked out after too many tries"
    case .busy: "another program holds the reader"
    case .noService: "fprintd does not answer"
    case .remote: "this session is remote"
    case .notAtSeat: "this session is not the active one at the machine"
    case .notInstalled: "the PAM service whorl-biometry is not installed"
    case .suspended: "the machine is about to sleep"
    case .passcodeFirst: "the administrator wants the password first"
    }
  }

  static func json(_ status: HostStatus) -> JSON {
    .object([
      ("unlocked", .bool(status.isUnlocked)), ("passwordSet", .bool(status.hasPasscode)),
      ("lacksLockHint", .bool(status.lacksLockHint)),
      ("biometryObstacle", status.biometryObstacle.map { .text("\($0)") } ?? .null),
      (
        "prints",
        .array(
          status.prints.map { print in
            .object([
              ("finger", .bytes(print.finger)), ("path", .bytes(print.path)),
              ("driver", .bytes(print.driver)), ("onDevice", .bool(print.isStoredOnDevice)),
              ("written", .number(Int64(clamping: print.written))),
            ])
          })
      ),
    ])
  }
}
