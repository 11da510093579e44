/// What one verification knows while it runs.
final class Verification {
  let target: AuthenticationTarget
  let owner: String
  let readers: [FingerprintReader]
  private(set) weak var run: AuthenticatorRun?
  private(set) var isOutOfTime = false
  private var isArmed = false
  private let onEvent: (AuthenticatorEvent) -> Void

  init(
    target: AuthenticationTarget, owner: String, readers: [FingerprintReader],
    run: AuthenticatorRun, onEvent: @escaping (AuthenticatorEvent) -> Void
  ) {
    self.target = target
    self.owner = owner
    // PAM takes the reader with the most prints, so that is the one to ask about.
    self.readers = readers.sorted { $0.fingers.count > $1.fingers.count }
    self.run = run
    self.onEvent = onEvent
  }

  /// Passes texts on.
  /// - Returns: the event if it is final.
  func take(_ event: WorkerEvent) -> WorkerEvent? {
    switch event {
    case .info(let text):
      // pam_fprintd speaks first when fprintd has chosen a finger and waits for it.
      if !isArmed {
        isArmed = true
        onEvent(.armed)
      }
      onEvent(.info(text))
    case .error(let text):
      // The worker's language is fixed, so the text of pam_fprintd is too.
      if text == "Verification timed out" { isOutOfTime = true }
      onEvent(.problem(text))
    case .passcodeWanted:
      run?.finish(.unavailable(.other("the fingerprint service asks for a password")))
    case .answer, .vanished, .timedOut:
      return event
    }
    return nil
  }
}
