/// How an authenticator ended. Everything but ``verified(at:)`` is a refusal.
public enum AuthenticatorOutcome: Equatable, Sendable {
  /// - at: nanoseconds of CLOCK_BOOTTIME.
  case verified(at: UInt64)
  /// A person tried and was not the one, or may not.
  case failed(FailureReason)
  /// Nobody was asked, or nobody could answer.
  case unavailable(UnavailableReason)
  case cancelled
  /// The person did nothing in time.
  case timedOut

  public enum FailureReason: Equatable, Sendable {
    /// All tries of one transaction were used up.
    case maxTries
    case wrongPasscode
    /// The account stack refused: expired, locked, or its password must be changed.
    case accountRefused
    /// A module ended with another user.
    case userChanged
    /// PAM denied without saying why.
    case denied
  }

  public enum UnavailableReason: Equatable, Sendable {
    case noService
    case noReader
    case notEnrolled
    /// Another program holds the reader.
    case busy
    /// fprintd went away, or another took its name, during the transaction.
    case serviceVanished
    /// The PAM service file is missing, says too little or is not root's alone; the text says which.
    case serviceUnusable(String)
    /// The session is remote: nobody there can touch the reader.
    case remote
    /// Nobody listens on the worker's socket.
    case workerMissing
    case workerCrashed
    /// The worker gave no answer within our own clock; it was ended.
    case workerHung
    /// The text is for the log.
    case other(String)
  }
}
