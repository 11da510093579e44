import AccessControl
import SecretMemory
import Vault
import Wire

/// What checks factors for the prompt desk. Every answer comes later, on the loop's thread, and
/// exactly once unless the attempt was cancelled.
protocol Authenticators: AnyObject {
  /// What stands in the way of a finger of this subject now: the session first, then the service,
  /// the reader and the prints.
  ///
  /// - Parameters:
  ///   - origin: where a login is; nil for a request of the subject's own.
  ///   - isVerifiedNext: whether ``verifyFinger(of:origin:onEvent:_:)`` is likely to follow at once.
  func biometryObstacle(
    for subject: Subject, origin: LoginOrigin?, isVerifiedNext: Bool,
    _ completion: @escaping (BiometryObstacle?) -> Void)

  func verifyFinger(
    of subject: Subject, origin: LoginOrigin?, onEvent: @escaping (FingerEvent) -> Void,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt

  func verifyPasscode(
    of subject: Subject, _ passcode: SecretBytes,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt

  /// Lets the authentication agent of the subject's desktop ask whether the person is there.
  func verifyPresence(
    of subject: Subject, _ question: PresenceQuestion,
    _ completion: @escaping (CheckOutcome) -> Void
  ) -> any Attempt
}

/// What the agent of a desktop is asked to show.
struct PresenceQuestion {
  /// For people, through ``Wire/displayText(_:)``.
  let program: String
  let item: String
}

/// What happens while a finger is waited for.
enum FingerEvent: Equatable {
  /// The reader waits.
  case armed
  /// A scan that did not decide.
  case notice(Notice.Kind)
}

/// A check that runs.
protocol Attempt: AnyObject {
  /// Ends it: the reader is free again and no answer comes.
  func cancel()
}

/// What an authenticator found.
enum CheckOutcome: Equatable {
  case verified
  /// The factor was given and is wrong.
  case refused
  /// Nobody gave the factor in time.
  case timedOut
  /// The factor cannot be checked.
  case unavailable(Failure)
}
