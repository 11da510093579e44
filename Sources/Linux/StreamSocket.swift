import CLinux
import Glibc

/// A connected stream socket of the local domain. Once connected, no call of it waits that is not told
/// to: readiness comes from ``Epoll`` or ``Readiness``, and memory from the caller.
public struct StreamSocket: Sendable {
  /// What one transfer did.
  public enum Progress: Equatable, Sendable {
    case moved(Int)
    case wouldBlock
    /// The peer closed or reset the connection.
    case ended
  }

  private let owned: OwnedDescriptor

  public var descriptor: Int32 { owned.raw }

  /// Takes over a connected socket.
  public init(_ descriptor: OwnedDescriptor) {
    owned = descriptor
  }

  /// Connects to a socket file.
  ///
  /// - Parameter patience: milliseconds to wait while the listener has no room for another
  ///   connection; 0 to wait not at all.
  /// - Throws: `EAGAIN` when there was no room.
  public init(connectingTo path: [UInt8], patience: Int = 0) throws(SystemError) {
    let address = try SocketAddress(path: path, call: "connect")
    let waiting = patience > 0 ? 0 : SOCK_NONBLOCK.rawValue
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | waiting), 0)
    guard raw >= 0 else { throw SystemError(code: errno, call: "socket") }
    owned = OwnedDescriptor(owning: raw)
    if patience > 0 {
      // The kernel counts the wait for room as one for sending.
      try limit(SO_SNDTIMEO, patience)
    }
    try address.connect(raw)
  }

  /// The uid of the process that listens, as the kernel recorded it.
  public func peerUser() throws(SystemError) -> UInt32 {
    var process: Int32 = 0
    var user: UInt32 = 0
    // SAFETY: the out-parameters are valid for the length of the call.
    let code = unsafe whorl_peer_credentials(descriptor, &process, &user)
    guard code == 0 else { throw SystemError(code: code, call: "SO_PEERCRED") }
    return user
  }

  /// Sends what fits of the bytes from `start` on. A peer that is gone raises no signal.
  public func send(_ bytes: Span<UInt8>, from start: Int) -> Progress {
    precondition(start >= 0 && start <= bytes.count)
    // SAFETY: the pointer stays inside the span, which lives for the length of the call.
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(
        descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if count >= 0 { return .moved(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
  }

  /// How long a receive that waits does so at the most. Without, it waits for ever.
  ///
  /// - Parameter milliseconds: more than 0.
  public func limitWaits(milliseconds: Int) throws(SystemError) {
    try limit(SO_RCVTIMEO, milliseconds)
  }

  private func limit(_ option: Int32, _ milliseconds: Int) throws(SystemError) {
    var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    // SAFETY: the structure has the size given and is read during the call only.
    let result = unsafe setsockopt(
      descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard result == 0 else { throw SystemError(code: errno, call: "setsockopt") }
  }

  /// Receives what is there into the bytes from `start` on, which must not be empty.
  ///
  /// - Parameter waiting: whether to wait until something is there, as ``limitWaits(milliseconds:)``
  ///   allows.
  public func receive(
    into bytes: inout MutableSpan<UInt8>, from start: Int = 0, waiting: Bool = false
  ) -> Progress {
    precondition(start >= 0 && start < bytes.count)
    // SAFETY: the pointer stays inside the span, which lives for the length of the call.
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe recv(
        descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        waiting ? 0 : Int32(MSG_DONTWAIT))
    }
    if count > 0 { return .moved(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .ended
  }

  /// Ends the connection for both sides at once, also for a thread that waits on it.
  public func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
