import AccessControl
import Linux
import WhorlClient
import Wire

/// What `whorl doctor` looks at, from the outside in.
enum Checks {
  static func run(_ keychain: Keychain) -> [Finding] {
    let (findings, status) = service(keychain)
    return findings + [terminal(), clock()] + pam(status?.pamDirectory ?? []) + units()
      + helpers()
      + fingerprints() + keyring()
  }

  private static func service(_ keychain: Keychain) -> ([Finding], HostStatus?) {
    let transport = SocketTransport()
    let path = quoted(transport.path)
    var findings: [Finding] = []
    if transport.trustsAnyServer {
      findings.append(
        Finding(
          grade: .note, message: "WHORL_SOCKET names \(path); its server may be anyone's",
          remedy: "Right in a demo or a test. Elsewhere unset it, for the system's service."))
    }
    do throws(KeychainError) {
      let status = try keychain.status()
      findings.append(
        Finding(
          grade: .good,
          message: "the service at \(path) answers, protocol \(ClientHello.version), "
            + (transport.trustsAnyServer ? "owner not checked" : "run by root")))
      return (findings + authenticators(status) + locker(status), status)
    } catch {
      let detail =
        error.problem != nil || error.detail.isEmpty ? "" : ": " + quoted(error.detail)
      let advice = Advice.lines(error, about: nil).joined(separator: " ")
      findings.append(
        Finding(
          grade: .broken, message: "\(path): " + Advice.fact(error) + detail,
          remedy: advice.isEmpty ? "“journalctl -u whorld” may say more." : advice))
      return (findings, nil)
    }
  }

  private static func authenticators(_ status: HostStatus) -> [Finding] {
    var findings = [
      Finding.check(
        status.hasPasscode, "the account has a password",
        Finding(
          grade: .note, message: "the account has no usable password",
          remedy: "Set one with “passwd”, or items open by finger only."))
    ]
    guard let obstacle = status.biometryObstacle else {
      findings.append(Finding(grade: .good, message: "a finger can be asked for"))
      return findings
    }
    let remedy =
      switch obstacle {
      case .noReader: "Connect a reader that libfprint supports; passwords work without."
      case .notEnrolled: "Enroll a finger with “fprintd-enroll”."
      case .lockout: "Use the password once."
      case .busy: "Close the program that uses the reader."
      case .noService: "Install fprintd; “systemctl status fprintd” says more."
      case .remote, .notAtSeat: "Use the machine's own screen; passwords work here."
      case .notInstalled: reinstall
      case .suspended: "Wait until the machine is awake."
      case .passcodeFirst: "Log in, or open an item, by password."
      }
    findings.append(
      Finding(
        grade: obstacle == .notInstalled ? .broken : .note,
        message: "fingerprint: " + StatusText.explain(obstacle), remedy: remedy))
    return findings
  }

  /// Nothing but a login tells that the screen of such a session is open again.
  private static func locker(_ status: HostStatus) -> [Finding] {
    guard status.lacksLockHint else { return [] }
    return [
      Finding(
        grade: .note,
        message: "the session was locked, and its locker never says so: your items stay locked",
        remedy: "Have what starts the locker run “busctl call org.freedesktop.login1 "
          + "/org/freedesktop/login1/session/auto org.freedesktop.login1.Session SetLockedHint "
          + "b true” before it and the same with “b false” after it. A login ends it too.")
    ]
  }

  private static func terminal() -> Finding {
    let prompter = TerminalPrompter()
    if prompter.leavesToAgent, DesktopPrompter() != nil {
      return Finding(grade: .good, message: "there is a desktop to ask on, and no terminal")
    }
    return .check(
      prompter.isAvailable, "there is a terminal to ask on",
      prompter.isInBackground
        ? Finding(
          grade: .note,
          message: "this runs in the background of its terminal, and cannot ask there",
          remedy: "Run it in the foreground.")
        : Finding(
          grade: .note, message: "there is no controlling terminal, so nobody can be asked",
          remedy: "Run it from a terminal; over ssh, with “ssh -t”."))
  }

  private static func clock() -> Finding {
    // The first second of 2025, before this program existed.
    .check(
      CalendarClock.seconds() > 1_735_689_600, "the clock is set",
      Finding(
        grade: .note, message: "the clock is in the past, so the dates in the record are wrong",
        remedy: "Set it with “timedatectl”."))
  }

  /// - Parameter directory: where the service looks for them; empty for PAM's own folders.
  private static func pam(_ directory: [UInt8]) -> [Finding] {
    let folders =
      directory.isEmpty
      ? ["/etc/pam.d/", "/usr/lib/pam.d/"] : [String(decoding: directory, as: UTF8.self) + "/"]
    return ["whorl-biometry", "whorl-passcode"].map { service in
      file(folders.map { $0 + service }, "the PAM service \(service)", reinstall)
    }
  }

  private static let reinstall = "Install whorl again: it lacks a part."

  /// Programs that commands become, or ask, when they are wanted.
  private static func helpers() -> [Finding] {
    ["whorl-keyring", "whorl-lint", "whorl-prompt", "whorl-secret-service"].map { name in
      .check(
        HelperProcess.find(name) != nil, "the helper \(name) is installed",
        Finding(
          grade: .note, message: "the helper \(name) is not installed, or others can write to it",
          remedy: reinstall))
    }
  }

  private static func units() -> [Finding] {
    guard FileFacts(path: "/run/systemd/system") != nil else {
      return [
        Finding(
          grade: .note, message: "systemd does not run here, so the units were not looked at")
      ]
    }
    return [
      "whorl.socket", "whorld.service", "whorl-pam-worker.socket", "whorl-pam-worker@.service",
      "whorl-print-reader.socket", "whorl-print-reader@.service",
    ].map { unit in
      file(
        ["/etc/systemd/system/", "/usr/lib/systemd/system/", "/usr/local/lib/systemd/system/"].map {
          $0 + unit
        }, "the unit \(unit)", reinstall)
    }
  }

  private static func fingerprints() -> [Finding] {
    var findings = [
      Finding.check(
        FileFacts(path: "/usr/share/dbus-1/system-services/net.reactivated.Fprint.service") != nil,
        "fprintd is installed",
        Finding(
          grade: .note, message: "fprintd is not installed, so only passwords can open items",
          remedy: "Install the package fprintd."))
    ]
    if let folder = FileFacts(path: "/var/lib/fprint") {
      findings.append(
        .check(
          folder.owner == 0 && folder.mode & 0o022 == 0, "only root writes the folder of prints",
          Finding(
            grade: .broken, message: "others than root can write /var/lib/fprint",
            remedy: "“chown root: /var/lib/fprint; chmod 700 /var/lib/fprint”.")))
    }
    return findings
  }

  /// A file that must exist in one of the places, and that only root may change.
  private static func file(_ paths: [String], _ what: String, _ remedy: String) -> Finding {
    for path in paths {
      guard let facts = FileFacts(path: path) else { continue }
      guard facts.owner == 0, facts.mode & 0o022 == 0 else {
        return Finding(
          grade: .broken, message: "others than root can write \(displayText(path))",
          remedy: "Make it root's, and writable by nobody else.")
      }
      return Finding(grade: .good, message: "\(what) is installed")
    }
    return Finding(grade: .broken, message: "\(what) is not installed", remedy: remedy)
  }
}
