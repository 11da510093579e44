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
  private let polkit: PolkitAuthority
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
    polkit = PolkitAuthority(bus: bus)
    self.host = host
    self.configuration = configuration
  }

  func biometryObstacle(
    for subject: Subject, origin: LoginOrigin?, isVerifiedNext: Bool,
    _ completion: @escaping (BiometryObstacle?) -> Void
  ) {
    sessionObstacle(for: subject, origin: origin) { [self] obstacle in
      if let obstacle { return completion(obstacle) }
      guard let name = String(validating: subject.name, as: UTF8.self) else {
        return completion(.notEnrolled)
      }
      if isVerifiedNext { biometry.prepare(for: name) }
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
    of subject: Subject, origin: LoginOrigin?, onEvent: @escaping (FingerEvent) -> Void,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt {
    let attempt = HostAttempt()
    attempt.run = biometry.verify(
      Self.target(subject),
      onEvent: { [host] event in
        switch event {
        case .armed: onEvent(.armed)
        // The texts are pam_fprintd's, and of one language in a worker. They are not passed on.
        case .problem("Failed to match fingerprint"):
          host.touched(subject.user, matched: false)
          onEvent(.notice(.noMatch))
        case .problem: onEvent(.notice(.retryScan))
        case .info: break
        }
      },
      completion: { [weak self, weak attempt] outcome in
        guard case .verified = outcome else {
          if let outcome = CheckOutcome(outcome) { completion(outcome) }
          return
        }
        // The person may have left the reader to somebody else while it waited.
        self?.sessionObstacle(for: subject, origin: origin) { obstacle in
          guard let attempt, !attempt.isCancelled else { return }
          if obstacle == nil { self?.host.touched(subject.user, matched: true) }
          completion(obstacle.map { .unavailable(Failure(FailureCode($0))) } ?? .verified)
        }
      })
    return attempt
  }

  func verifyPasscode(
    of subject: Subject, _ passcode: SecretBytes,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt {
    let attempt = HostAttempt()
    // PAM is told of a remote session, so that its rules about remote hosts hold.
    session(of: subject) { [self] answer in
      guard !attempt.isCancelled else { return }
      var host = ""
      if case .session(let facts) = answer, facts.isRemote {
        host = facts.remoteHost.isEmpty ? "remote" : facts.remoteHost
      }
      attempt.run = self.passcode.verify(
        Self.target(subject, remoteHost: host), passcode: passcode,
        completion: { if let outcome = CheckOutcome($0) { completion(outcome) } })
    }
    return attempt
  }

  func verifyPresence(
    of subject: Subject, _ question: PresenceQuestion,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt {
    let attempt = HostAttempt()
    guard let started = ProcessFacts.started(subject.process, of: subject.user) else {
      completion(.unavailable(Failure(.changedMeanwhile)))
      return attempt
    }
    attempt.check = polkit.ask(
      PolkitAuthority.Question(
        process: subject.process, started: started, user: subject.user,
        program: question.program, item: question.item),
      patience: configuration().promptLimit
    ) { completion(CheckOutcome($0)) }
    return attempt
  }

  /// What keeps the session from the reader.
  private func sessionObstacle(
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
      switch obstacle {
      case nil: completion(nil)
      case .noSessionService where configuration().withoutLogind == .allow: completion(nil)
      case .remote: completion(.remote)
      default: completion(.notAtSeat)
      }
    }
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

/// A check that the desk can end, also while it asks for the session before or after its run.
private final class HostAttempt: Attempt {
  var run: AuthenticatorRun?
  var check: PresenceCheck?
  private(set) var isCancelled = false

  func cancel() {
    isCancelled = true
    run?.cancel()
    check?.cancel()
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
      case .serviceUnusable(let text):
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

  init(_ outcome: PresenceOutcome) {
    switch outcome {
    case .present: self = .verified
    case .failed: self = .refused
    case .dismissed: self = .unavailable(Failure(.cancelled))
    case .nobodyToAsk: self = .unavailable(Failure(.interactionNotAllowed))
    case .ruled:
      self = .unavailable(
        Failure(.notPermitted, detail: Self.text("polkit answered in the person's place")))
    case .unavailable: self = .unavailable(Failure(.timedOut, detail: Self.text("polkit")))
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8.prefix(1024)) }
}
