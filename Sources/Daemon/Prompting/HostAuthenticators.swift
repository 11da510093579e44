import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// The authenticators of a real host: PAM in workers, fprintd for the reasons, logind for the
/// session.
final class HostAuthenticators: Authenticators {
  private let sessions: SessionDirectory
  private let fingerprints: FingerprintService
  private let biometry: BiometryAuthenticator
  private let passcode: PasscodeAuthenticator
  private let host: HostFacts
  private let configuration: () -> Configuration

  init(
    loop: any EventLoop, bus: HostBus, sessions: SessionDirectory, settings: WorkerSettings,
    host: HostFacts, configuration: @escaping () -> Configuration
  ) {
    self.sessions = sessions
    fingerprints = FingerprintService(bus: bus)
    biometry = BiometryAuthenticator(loop: loop, fingerprints: fingerprints, settings: settings)
    passcode = PasscodeAuthenticator(loop: loop, settings: settings)
    self.host = host
    self.configuration = configuration
  }

  func biometryObstacle(
    for subject: Subject, origin: LoginOrigin?,
    _ completion: @escaping (BiometryObstacle?) -> Void
  ) {
    if sessions.isSleeping { return completion(.suspended) }
    if let origin, !origin.isLocal { return completion(.remote) }
    session(of: subject) { [self] answer in
      let obstacle =
        if let origin {
          sessions.loginObstacle(
            answer, uid: subject.user,
            isOnActiveTerminal: origin.isOn(terminalNamedIn: configuration().activeTerminal))
        } else { sessions.biometryObstacle(answer, uid: subject.user) }
      if let obstacle,
        !(obstacle == .noSessionService && configuration().withoutLogind == .allow)
      {
        return completion(obstacle == .remote ? .remote : .notAtSeat)
      }
      guard let name = String(validating: subject.name, as: UTF8.self) else {
        return completion(.notEnrolled)
      }
      fingerprints.diagnose(user: name) { [self] diagnosis in
        switch diagnosis {
        // A rule is told only to those who have a finger to be ruled.
        case .ready: completion(host.touchObstacle(subject.user))
        case .noService, .timedOut, .failed: completion(.noService)
        case .noReader: completion(.noReader)
        case .notEnrolled: completion(.notEnrolled)
        case .busy: completion(.busy)
        }
      }
    }
  }

  func verifyFinger(
    of subject: Subject, onEvent: @escaping (FingerEvent) -> Void,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt {
    let run = biometry.verify(
      Self.target(subject),
      onEvent: { [host] event in
        switch event {
        case .armed: onEvent(.armed)
        case .problem(let text):
          // The worker's language is fixed, so the text of pam_fprintd is too. It is not passed on.
          let isMiss = text == "Failed to match fingerprint"
          if isMiss { host.touched(subject.user, matched: false) }
          onEvent(.notice(isMiss ? .noMatch : .retryScan))
        case .info: break
        }
      },
      completion: { [host] outcome in
        if case .verified = outcome { host.touched(subject.user, matched: true) }
        if let outcome = CheckOutcome(outcome) { completion(outcome) }
      })
    return HostAttempt(run)
  }

  func verifyPasscode(
    of subject: Subject, _ passcode: SecretBytes,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt {
    let pending = PendingPasscode()
    // PAM is told of a remote session, so that its rules about remote hosts hold.
    session(of: subject) { [self] answer in
      guard !pending.isCancelled else { return }
      var host = ""
      if case .session(let facts) = answer, facts.isRemote {
        host = facts.remoteHost.isEmpty ? "remote" : facts.remoteHost
      }
      pending.run = self.passcode.verify(
        Self.target(subject, remoteHost: host), passcode: passcode,
        completion: { if let outcome = CheckOutcome($0) { completion(outcome) } })
    }
    return pending
  }

  private func session(
    of subject: Subject, _ completion: @escaping (SessionAnswer) -> Void
  ) {
    sessions.session(
      ofProcess: subject.process, uid: subject.user,
      controlGroup: ProcessFacts.controlGroup(subject.process) ?? "", completion: completion)
  }

  private static func target(
    _ subject: Subject, remoteHost: String = ""
  ) -> AuthenticationTarget {
    AuthenticationTarget(
      user: String(decoding: subject.name, as: UTF8.self), uid: subject.user,
      remoteHost: remoteHost)
  }
}

/// A run that the desk can end.
private final class HostAttempt: Attempt {
  private let run: AuthenticatorRun

  init(_ run: AuthenticatorRun) {
    self.run = run
  }

  func cancel() { run.cancel() }
}

/// A passcode check that first asks for the session.
private final class PendingPasscode: Attempt {
  var run: AuthenticatorRun?
  private(set) var isCancelled = false

  func cancel() {
    isCancelled = true
    run?.cancel()
  }
}

extension CheckOutcome {
  /// - Returns: nil for a check that was cancelled: nobody waits for it.
  init?(_ outcome: AuthenticatorOutcome) {
    switch outcome {
    case .verified: self = .verified
    // The factor was right; another try would change nothing.
    case .failed(.accountRefused):
      self = .unavailable(
        Failure(.authenticationFailed, detail: Self.text("the account or its password has expired"))
      )
    case .failed: self = .refused
    case .cancelled: return nil
    case .timedOut: self = .timedOut
    case .unavailable(let reason):
      switch reason {
      case .noReader: self = .unavailable(Failure(.noReader))
      case .notEnrolled: self = .unavailable(Failure(.notEnrolled))
      case .busy: self = .unavailable(Failure(.busy, detail: Self.text("the fingerprint reader")))
      case .remote: self = .unavailable(Failure(.notAtReader))
      case .noService, .serviceVanished:
        self = .unavailable(Failure(.unavailable, detail: Self.text("fprintd")))
      case .serviceMissing(let text):
        self = .unavailable(Failure(.unavailable, detail: Self.text(text)))
      case .workerMissing:
        self = .unavailable(
          Failure(.unavailable, detail: Self.text("whorl-pam-worker is not running")))
      case .workerCrashed:
        self = .unavailable(Failure(.unavailable, detail: Self.text("whorl-pam-worker crashed")))
      case .workerHung:
        self = .unavailable(
          Failure(.unavailable, detail: Self.text("whorl-pam-worker did not answer")))
      case .other(let text): self = .unavailable(Failure(.unavailable, detail: Self.text(text)))
      }
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8.prefix(1024)) }
}
