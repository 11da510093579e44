/// Why the user's Secret Service did not do what was asked.
public enum KeyringError: Error, Equatable, Sendable {
  /// There is no session bus to reach it by.
  case noBus
  /// Nothing on the bus is a Secret Service.
  case noService
  /// It is locked, and was not unlocked.
  case locked
  /// It went away in the middle of a call.
  case gone
  /// The item or collection is not there, or no more.
  case missing
  /// It did not answer within the limit.
  case timedOut
  /// No memory can be locked for a secret.
  case exhausted
  /// Something else, in the service's words: bytes from outside, to be shown with care.
  case failed([UInt8])
}

extension KeyringError {
  /// Whether another item may do better.
  public var isAboutItem: Bool {
    switch self {
    case .locked, .missing, .failed: true
    case .noBus, .noService, .gone, .timedOut, .exhausted: false
    }
  }
}
