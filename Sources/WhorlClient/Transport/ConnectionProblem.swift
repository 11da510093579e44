import Wire

/// What is wrong between this process and the service.
public enum ConnectionProblem: Equatable, Sendable {
  /// Nothing is at the socket's path.
  case noSocket(path: [UInt8])
  /// The socket is there, and nobody listens, or the connection was refused.
  case refused(path: [UInt8], errno: Int32)
  /// Another account than root listens, so it was not spoken to.
  case foreignServer(path: [UInt8], user: UInt32)
  /// The service closed the connection before it answered.
  case closed
  /// The service was silent for too long.
  case silent
  /// The service speaks another version of the protocol.
  case version(UInt32)
  /// The service sent what no service sends.
  case malformed
  /// This process has no memory or descriptor left for it.
  case exhausted

  var code: FailureCode {
    switch self {
    case .noSocket, .refused, .foreignServer, .closed, .version: .unavailable
    case .silent: .timedOut
    case .malformed: .protocolViolation
    case .exhausted: .busy
    }
  }

  var detail: [UInt8] {
    switch self {
    case .noSocket(let path), .refused(let path, _), .foreignServer(let path, _): path
    case .closed, .silent, .version, .malformed, .exhausted: []
    }
  }
}
