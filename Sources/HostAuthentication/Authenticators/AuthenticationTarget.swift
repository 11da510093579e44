/// Who must prove presence, and from where: always the peer of the socket.
public struct AuthenticationTarget: Equatable, Sendable {
  public let user: String
  public let uid: UInt32
  /// The host of a remote session, empty for a local one.
  public let remoteHost: String
  /// The caller's terminal, or empty.
  public let terminal: String

  public init(user: String, uid: UInt32, remoteHost: String = "", terminal: String = "") {
    self.user = user
    self.uid = uid
    self.remoteHost = remoteHost
    self.terminal = terminal
  }
}
