import Linux
import Systemd
import Wire

/// Checks the factor biometry: fprintd says whether a finger can be asked for, PAM in a worker
/// gives the verdict, and one owner of fprintd's name must have been there throughout and have told
/// of the match itself. pam_fprintd takes a signal of anyone's for fprintd's.
public final class BiometryAuthenticator {
  /// Milliseconds after which fprintd is asked again before a verification. A request asks it once
  /// whether a finger can be asked for at all; the prompt that follows need not ask the same. What
  /// changes in between, PAM finds, and whoever owned fprintd's name then must own it at the end.
  private static let diagnosisAge: UInt64 = 2000

  /// Milliseconds that a worker waits for a verification.
  private static let spareAge: UInt64 = 2000

  private let loop: any EventLoop
  private let fingerprints: FingerprintService
  private let settings: WorkerSettings
  /// A worker that has been started and told nothing yet.
  private var spare: HelperConnection?

  public init(loop: any EventLoop, fingerprints: FingerprintService, settings: WorkerSettings) {
    self.loop = loop
    self.fingerprints = fingerprints
    self.settings = settings
  }

  /// Starts a worker while it is still being found out whether a finger can be asked for, so that
  /// the person does not wait for its start too. There is one at most, and not for long.
  public func prepare() {
    guard spare == nil else { return }
    spare = try? HelperConnection(loop: loop, path: settings.socket, limit: Self.spareAge) {
      [weak self] _ in self?.spare = nil
    }
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
    if let (owner, readers) = fingerprints.ready(user: target.user, age: Self.diagnosisAge),
      let reader = Self.chosen(readers)
    {
      start(Verification(target: target, owner: owner, reader: reader, run: run, onEvent: onEvent))
      return run
    }
    fingerprints.diagnose(user: target.user) { [weak self, weak run] diagnosis in
      guard let self, let run, !run.isFinished else { return }
      switch diagnosis {
      case .ready(let owner, let readers):
        guard let reader = Self.chosen(readers) else { return run.finish(.unavailable(.noReader)) }
        start(
          Verification(target: target, owner: owner, reader: reader, run: run, onEvent: onEvent))
      case .noService, .noReader, .notEnrolled, .busy, .timedOut, .failed:
        run.finish(Self.outcome(diagnosis))
      }
    }
    return run
  }

  private func start(_ verification: Verification) {
    guard let run = verification.run else { return }
    guard
      let ownerWatch = fingerprints.watchOwner({ [weak run] owner in
        if owner != verification.owner { run?.finish(.unavailable(.serviceVanished)) }
      }),
      let matchWatch = fingerprints.watchVerification(
        on: verification.reader, owner: verification.owner,
        { [weak verification] in verification?.isMatched = $0 })
    else { return run.finish(.unavailable(.noService)) }
    run.watches = [ownerWatch, matchWatch]
    do throws(SystemError) {
      run.worker = try WorkerClient(
        loop: loop, path: settings.socket, spare: spare.take(), limit: settings.limit,
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
    switch outcome {
    case .verified, .failed: break
    case .cancelled, .timedOut, .unavailable: return run.finish(outcome)
    }
    // What the bus tells and the verdict come by different ways: ask once more. The bus keeps its
    // order, so whatever was told before the verdict is here before the answer. A refusal is asked
    // about too: pam_fprintd takes the end of the bus for a finger that was wrong.
    fingerprints.isOwned(by: verification.owner) { [weak run] isOwned in
      guard isOwned else {
        run?.finish(.unavailable(.serviceVanished))
        return
      }
      guard case .verified = outcome else {
        run?.finish(outcome)
        return
      }
      run?.finish(
        verification.isMatched
          ? outcome : .unavailable(.other("fprintd did not tell of the match that PAM saw")))
    }
  }

  /// PAM has one code for busy, gone and out of time, so the rest is asked of fprintd.
  private func explain(_ verification: Verification, _ run: AuthenticatorRun) {
    if verification.isOutOfTime { return run.finish(.timedOut) }
    fingerprints.isOwned(by: verification.owner) { [weak self, weak run] isOwned in
      guard let self, let run, !run.isFinished else { return }
      guard isOwned else { return run.finish(.unavailable(.serviceVanished)) }
      fingerprints.probe(
        verification.reader, owner: verification.owner, user: verification.target.user
      ) {
        [weak run] diagnosis in
        if case .ready = diagnosis, verification.isArmed {
          run?.finish(.unavailable(.other("the fingerprint reader failed")))
        } else {
          run?.finish(Self.outcome(diagnosis))
        }
      }
    }
  }

  /// The reader that pam_fprintd takes: the first of those with the most prints.
  private static func chosen(_ readers: [FingerprintReader]) -> FingerprintReader? {
    let most = readers.map(\.fingers.count).max()
    return readers.first { $0.fingers.count == most }
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
