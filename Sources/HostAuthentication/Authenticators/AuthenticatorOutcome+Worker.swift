import Linux
import Wire

extension AuthenticatorOutcome {
  /// The meaning of a worker's final answer that does not depend on the factor. Exactly one
  /// answer verifies.
  init(verdict code: PAMCode, stage: WorkerStage, wrong: FailureReason) {
    switch (code, stage) {
    case (.success, .finished): self = .verified(at: BootClock.nanoseconds())
    case (.authenticationError, .authenticate): self = .failed(wrong)
    case (.maxTries, .authenticate): self = .failed(.maxTries)
    case (.authenticationUnavailable, .authenticate):
      self = .unavailable(.other("authentication information is unavailable"))
    case (_, .account): self = .failed(.accountRefused)
    case (_, .userChanged): self = .failed(.userChanged)
    case (let code, .start), (let code, .authenticate), (let code, .finished):
      self = code == .success ? .failed(.denied) : .unavailable(.other("PAM \(code.rawValue)"))
    }
  }

  /// The meaning of any final event.
  init(_ event: WorkerEvent, wrong: FailureReason) {
    switch event {
    case .answer(.verdict(let code, let stage)):
      self.init(verdict: code, stage: stage, wrong: wrong)
    case .answer(.failure(.serviceMissing, let text)), .answer(.failure(.serviceUnsafe, let text)):
      self = .unavailable(.serviceUnusable(text))
    case .answer(.failure(.userMismatch, _)): self = .failed(.userChanged)
    case .answer(.failure(let failure, let text)):
      self = .unavailable(.other("\(failure) \(text)"))
    case .vanished: self = .unavailable(.workerCrashed)
    case .timedOut: self = .unavailable(.workerHung)
    case .answer, .info, .error, .passcodeWanted:
      self = .unavailable(.other("an answer to another question"))
    }
  }
}
