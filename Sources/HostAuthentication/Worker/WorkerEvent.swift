import Wire

/// What a worker process did.
public enum WorkerEvent: Equatable, Sendable {
  case info(String)
  case error(String)
  case passcodeWanted
  /// The final answer; nothing follows.
  case answer(WorkerReply)
  /// The socket ended before an answer, because the process died, or was ended because it spoke no
  /// protocol or without end. Nothing follows.
  case vanished
  /// No answer within the limit; the process is being ended. Nothing follows.
  case timedOut
}
