import Linux

/// Reaches `whorld` by its socket.
public struct SocketTransport: Transport {
  /// Where the service listens.
  public static let standardPath = "/run/whorl/whorl.sock"
  /// The variable of the environment that names another socket.
  public static let pathVariable: StaticString = "WHORL_SOCKET"
  /// Milliseconds to wait while the service has no room for another connection.
  private static let patience = 10_000

  public let path: [UInt8]
  /// Whether a server of another account than root is spoken to.
  public let trustsAnyServer: Bool

  /// The path in `WHORL_SOCKET`, whose server may be anyone's since the user chose it; without it
  /// the standard one, whose server must be root's. A program that runs with more rights than
  /// its caller ignores the variable.
  public init() {
    if let path = OwnProcess.trustedEnvironment(Self.pathVariable), !path.isEmpty {
      self.init(path: path, trustsAnyServer: true)
    } else {
      self.init(path: Array(Self.standardPath.utf8), trustsAnyServer: false)
    }
  }

  public init(path: [UInt8], trustsAnyServer: Bool) {
    self.path = path
    self.trustsAnyServer = trustsAnyServer
  }

  public func connect() throws(KeychainError) -> any Connection {
    let socket: StreamSocket
    do { socket = try StreamSocket(connectingTo: path, patience: Self.patience) } catch {
      throw KeychainError(
        error.isMissing ? .noSocket(path: path) : .refused(path: path, errno: error.code))
    }
    if !trustsAnyServer {
      // No answer is no root.
      let user = (try? socket.peerUser()) ?? UInt32.max
      guard user == 0 else { throw KeychainError(.foreignServer(path: path, user: user)) }
    }
    let canWait = (try? socket.limitWaits(milliseconds: Int(Exchange.silence))) != nil
    return SocketConnection(socket, waitLimit: canWait ? Exchange.silence : nil)
  }
}
