/// What one verification knows while it runs.
final class Verification {
  let target: AuthenticationTarget
  let owner: String
  /// The one that PAM takes.
  let reader: FingerprintReader
  /// Whether fprintd itself told, last of all, of a match on the reader.
  var isMatched = false
  private(set) weak var run: AuthenticatorRun?
  private(set) var isOutOfTime = false
  private(set) var isArmed = false
  private let onEvent: (AuthenticatorEvent) -> Void

  init(
    target: AuthenticationTarget, owner: String, reader: FingerprintReader,
    run: AuthenticatorRun, onEvent: @escaping (AuthenticatorEvent) -> Void
  ) {
    self.target = target
    self.owner = owner
    self.reader = reader
    self.run = run
    self.onEvent = onEvent
  }

  /// Passes texts on.
  /// - Returns: the event if it is final.
  func take(_ event: WorkerEvent) -> WorkerEvent? {
    switch event {
    // The worker's language is fixed, so the texts of pam_fprintd are too. This one was a problem
    // first and is information in later versions.
    case .info("Verification timed out"), .error("Verification timed out"):
      isOutOfTime = true
    case .info(let text):
      // pam_fprintd speaks first when fprintd has chosen a finger and waits for it.
      if !isArmed {
        isArmed = true
        onEvent(.armed)
      }
      onEvent(.info(text))
    case .error(let text):
      onEvent(.problem(text))
    case .passcodeWanted:
      run?.finish(.unavailable(.other("the fingerprint service asks for a password")))
    case .answer, .vanished, .timedOut:
      return event
    }
    return nil
  }
}
