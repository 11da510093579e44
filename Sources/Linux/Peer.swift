import CLinux
import Glibc

/// Who is at the other end of a connected local socket, as the kernel recorded it when the peer
/// connected.
public struct Peer: Sendable {
  public let user: UInt32
  public let process: Int32
  /// Stands for this one process and becomes readable when it ends. Its number is another's once
  /// it was reaped, also while this is open: what was read by number counts only if the process
  /// is still alive *afterwards*.
  public let pidfd: OwnedDescriptor

  /// - Throws: `ESRCH` and others when the peer is gone already.
  public init(of connection: OwnedDescriptor) throws(SystemError) {
    var process: Int32 = 0
    var user: UInt32 = 0
    // SAFETY: the out-parameters are valid for the length of the call.
    let status = unsafe whorl_peer_credentials(connection.raw, &process, &user)
    guard status == 0 else { throw SystemError(code: status, call: "SO_PEERCRED") }
    // A peer of another pid namespace has no number here.
    guard process > 0 else { throw SystemError(code: ESRCH, call: "SO_PEERCRED") }
    let pidfd = whorl_peer_pidfd(connection.raw, process)
    guard pidfd >= 0 else { throw SystemError(code: errno, call: "SO_PEERPIDFD") }
    self.user = user
    self.process = process
    self.pidfd = OwnedDescriptor(owning: pidfd)
  }

  /// Whether the process still runs.
  public var isAlive: Bool {
    var descriptor = pollfd(fd: pidfd.raw, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as counted.
    return unsafe poll(&descriptor, 1, 0) == 0
  }
}
