import Linux
import Systemd
import Wire

/// Checks the factor biometry: fprintd says whether a finger can be asked for, PAM in a worker
/// gives the verdict, and one owner of fprintd's name must have been there throughout.
public final class BiometryAuthenticator {
  /// Milliseconds after which fprintd is asked again before a verification. A request asks it once
  /// whether a finger can be asked for at all; the prompt that follows need not ask the same. What
  /// changes in between, PAM finds, and whoever owned fprintd's name then must own it at the end.
  private static let diagnosisAge: UInt64 = 2000

  private let loop: any EventLoop
  private let fingerprints: FingerprintService
  private let settings: WorkerSettings

  public init(loop: any EventLoop, fingerprints: FingerprintService, settings: WorkerSettings) {
    self.loop = loop
    self.fingerprints = fingerprints
    self.settings = settings
  }

  /// Starts one verification. Whether the caller's session may use the reader is decided before.
  /// The completion runs once, on the loop, never inside this call.
  public func verify(
    _ target: AuthenticationTarget,
    onEvent: @escaping (AuthenticatorEvent) -> Void = { _ in },
    completion: @escaping (AuthenticatorOutcome) -> Void
  ) -> AuthenticatorRun {
    let run = AuthenticatorRun(loop: loop, completion: completion)
    guard target.remoteHost.isEmpty else {
      run.finish(.unavailable(.remote))
      return run
    }
    if let (owner, readers) = fingerprints.ready(user: target.user, age: Self.diagnosisAge) {
      start(
        Verification(target: target, owner: owner, readers: readers, run: run, onEvent: onEvent))
      return run
    }
    fingerprints.diagnose(user: target.user) { [weak self, weak run] diagnosis in
      guard let self, let run, !run.isFinished else { return }
      switch diagnosis {
      case .ready(let owner, let readers):
        start(
          Verification(target: target, owner: owner, readers: readers, run: run, onEvent: onEvent))
      case .noService, .noReader, .notEnrolled, .busy, .timedOut, .failed:
        run.finish(Self.outcome(diagnosis))
      }
    }
    return run
  }

  private func start(_ verification: Verification) {
    guard let run = verification.run else { return }
    run.ownerWatch = fingerprints.watchOwner { [weak run] owner in
      if owner != verification.owner { run?.finish(.unavailable(.serviceVanished)) }
    }
    do throws(SystemError) {
      run.worker = try WorkerClient(
        loop: loop, path: settings.socket, limit: settings.limit,
        request: settings.request(.biometry, verification.target)
      ) { [weak self] event in
        if let final = verification.take(event) { self?.conclude(verification, final) }
      }
    } catch {
      run.finish(.unavailable(.workerMissing))
    }
  }

  private func conclude(_ verification: Verification, _ event: WorkerEvent) {
    guard let run = verification.run else { return }
    let outcome = AuthenticatorOutcome(event, wrong: .denied)
    if event == .answer(.verdict(.authenticationUnavailable, .authenticate)) {
      explain(verification, run)
      return
    }
    guard case .verified = outcome else { return run.finish(outcome) }
    // The change of owner and the verdict come by different ways: ask once more.
    fingerprints.isOwned(by: verification.owner) { [weak run] isOwned in
      run?.finish(isOwned ? outcome : .unavailable(.serviceVanished))
    }
  }

  /// PAM has one code for busy, gone and out of time, so the rest is asked of fprintd.
  private func explain(_ verification: Verification, _ run: AuthenticatorRun) {
    if verification.isOutOfTime { return run.finish(.timedOut) }
    fingerprints.isOwned(by: verification.owner) { [weak self, weak run] isOwned in
      guard let self, let run, !run.isFinished else { return }
      guard isOwned, let reader = verification.readers.first else {
        return run.finish(.unavailable(.serviceVanished))
      }
      fingerprints.probe(reader, owner: verification.owner, user: verification.target.user) {
        [weak run] diagnosis in
        run?.finish(Self.outcome(diagnosis))
      }
    }
  }

  private static func outcome(_ diagnosis: FingerprintDiagnosis) -> AuthenticatorOutcome {
    switch diagnosis {
    case .ready: .unavailable(.other("the verification could not start"))
    case .noService: .unavailable(.noService)
    case .noReader: .unavailable(.noReader)
    case .notEnrolled: .unavailable(.notEnrolled)
    case .busy: .unavailable(.busy)
    case .timedOut: .unavailable(.other("fprintd does not answer"))
    case .failed(let text): .unavailable(.other(text))
    }
  }
}
