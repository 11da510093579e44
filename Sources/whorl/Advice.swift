import Linux
import WhorlClient
import Wire

/// What went wrong in words, and what to do about it. The library knows the facts, this the advice.
enum Advice {
  static func fact(_ error: KeychainError) -> String {
    if let problem = error.problem { return fact(problem) }
    if let problem = error.keyring { return fact(problem) }
    return fact(error.code)
  }

  static func fact(_ code: FailureCode) -> String {
    switch code {
    case .notFound: "not found"
    case .duplicate: "there is such an item already"
    case .authenticationFailed: "authentication failed"
    case .cancelled: "cancelled"
    case .interactionNotAllowed: "somebody must be asked, and nobody can be"
    case .badParameter: "not a valid request"
    case .invalidated: "invalidated: the enrolled fingerprints have changed"
    case .lockout: "the fingerprint reader is locked out"
    case .notEnrolled: "no fingerprint is enrolled"
    case .noReader: "there is no fingerprint reader"
    case .passcodeNotSet: "the account has no usable password"
    case .busy: "busy"
    case .locked: "the session is locked"
    case .timedOut: "nobody answered in time"
    case .unavailable: "a part of the system that is needed does not answer"
    case .notAtReader: "a finger cannot be asked for from a remote or background session"
    case .changedMeanwhile: "something changed while you were asked, so nothing was released"
    case .corrupted: "the stored item is damaged"
    case .notCurrent: "what your keyring has of it is not what was stored last"
    case .storageFull: "the disk is full"
    case .quotaExceeded: "you have stored as much as you may"
    case .protocolViolation: "the service and this program do not understand each other"
    case .notPermitted: "not permitted"
    case .internalError: "the service failed; its journal says why"
    case .passcodeFirst: "the password must be given first"
    case .invalidContext: "the authentication was ended by the program"
    }
  }

  static func fact(_ problem: ConnectionProblem) -> String {
    switch problem {
    case .noSocket: "the service is not there"
    case .refused: "the service does not accept connections"
    case .foreignServer(_, let user): "the server there is run by uid \(user), not by root"
    case .closed: "the service closed the connection"
    case .silent: "the service does not answer"
    case .version(let version): "the service speaks version \(version) of the protocol"
    case .malformed: "the service sent something that cannot be understood"
    case .exhausted: "no memory can be locked or no descriptor is left"
    }
  }

  /// - Parameter group: of the item, or of all that were asked for.
  static func lines(
    _ error: KeychainError, about item: ItemIdentity?, group: [UInt8]? = nil
  ) -> [String] {
    if let problem = error.problem {
      return SocketTransport().trustsAnyServer ? linesOfNamedSocket(problem) : lines(problem)
    }
    if let problem = error.keyring { return lines(problem, about: item) }
    switch error.code {
    case .notFound: return ["\(listing(of: group)) names what there is."]
    case .duplicate:
      return [
        "\(command("add --replace", item)) overwrites it, \(command("update", item)) changes it."
      ]
    case .invalidated:
      return [
        "\(command("show", item)) says what changed.",
        "If it opens by password, \(command("rearm", item)) binds it again;",
        "otherwise \(command("add --replace", item)) stores it anew.",
      ]
    case .interactionNotAllowed:
      return ["Run it on a terminal, in the foreground, or on a desktop; without --no-interaction."]
        + (TerminalPrompter().isInBackground
          ? ["“fg” brings a job to the foreground; for timeout(1) it is “timeout --foreground”."]
          : [])
    case .notEnrolled: return ["Enroll a finger with “fprintd-enroll”."]
    case .noReader, .lockout, .unavailable, .passcodeNotSet:
      return ["“whorl status” says what can authenticate now, “whorl doctor” what is amiss."]
    case .locked: return ["Unlock the session, or log in."]
    case .notAtReader: return ["Use the machine's own screen, or an item that opens by password."]
    case .protocolViolation: return ["Are both of the same version? “whorl doctor” tells."]
    case .busy: return ["Try again in a moment."]
    case .notCurrent:
      return [
        "Somebody changed it there, or restored an older keyring.",
        "\(command("add --replace", item)) stores it anew.",
      ]
    case .authenticationFailed, .cancelled, .badParameter, .timedOut, .changedMeanwhile,
      .corrupted, .storageFull, .quotaExceeded, .notPermitted, .internalError, .invalidContext,
      .passcodeFirst:
      return []
    }
  }

  static func lines(_ problem: ConnectionProblem) -> [String] {
    switch problem {
    case .noSocket, .refused:
      ["Start it with “systemctl enable --now whorld.service”; “whorl doctor” checks the rest."]
    case .foreignServer: ["Do not trust it. “whorl doctor” checks the installation."]
    case .closed, .silent, .malformed:
      ["“systemctl status whorld” and “journalctl -u whorld” say more."]
    case .version: ["Install the same version of whorl and whorld."]
    case .exhausted: ["“ulimit -l” and “ulimit -n” show the limits."]
    }
  }
}
