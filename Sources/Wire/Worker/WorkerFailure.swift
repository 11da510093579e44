/// Why a worker could not do what was asked at all. No failure is a verdict.
public enum WorkerFailure: UInt8, Sendable, CaseIterable {
  /// The request was not understood, or came at the wrong time.
  case malformed = 1
  /// No PAM file of that service in any of its folders; the text names it.
  case serviceMissing = 2
  /// The user does not exist or has another uid.
  case userMismatch = 3
  /// PAM could not start; the text holds its code.
  case startFailed = 4
  /// The name service did not answer.
  case nameService = 5
  /// The worker could not protect itself or its memory.
  case unprotected = 6
  /// Others than root may change the PAM file of that service; the text names the place.
  case serviceUnsafe = 7
}
