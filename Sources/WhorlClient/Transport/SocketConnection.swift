import Linux
import SecretMemory
import Synchronization
import Wire

/// Frames over a stream socket. ``receive(watching:until:)`` blocks the calling thread, in poll(2), or
/// in recv(2) where the socket is all it waits for; ``close()`` ends either, from any thread.
///
/// What arrives goes into locked memory before anyone looks at it, because the next bytes of a
/// stream may be a secret; a short answer with its secret takes one system call.
public final class SocketConnection: Connection {
  /// Milliseconds for which a service may leave what was sent unread.
  private static let sendLimit: Int64 = 10_000

  private let socket: StreamSocket
  /// Milliseconds for which the socket itself waits; nil where it does not.
  private let waitLimit: Int64?
  private let state = Mutex(ReceiveBuffer())

  public convenience init(_ socket: StreamSocket) {
    self.init(socket, waitLimit: nil)
  }

  /// - Parameter waitLimit: milliseconds, as the socket was told.
  init(_ socket: StreamSocket, waitLimit: Int64?) {
    self.socket = socket
    self.waitLimit = waitLimit
  }

  public var isOpen: Bool {
    // Between requests the service says nothing, so anything to read is its end.
    !Readiness.wait(socket.descriptor, milliseconds: 0)
  }

  public func close() {
    socket.shutDown()
  }

  public func send(_ frames: [Frame]) throws(KeychainError) {
    var pending: [UInt8] = []
    for frame in frames {
      switch frame {
      case .message(let message):
        guard message.count <= Limits.message else { throw KeychainError(.badParameter) }
        pending += FrameHeader.frame(message)
      case .secret(let secret):
        guard secret.count <= Limits.secret else { throw KeychainError(.badParameter) }
        pending += FrameHeader(secretCount: secret.count).encoded
        try send(pending.span)
        pending = []
        try secret.withBytes { bytes throws(KeychainError) in try send(bytes) }
      }
    }
    try send(pending.span)
  }

  private func send(_ bytes: Span<UInt8>) throws(KeychainError) {
    var sent = 0
    var deadline: Int64?
    while sent < bytes.count {
      switch socket.send(bytes, from: sent) {
      case .moved(let count): sent += count
      case .ended: throw KeychainError(.closed)
      case .wouldBlock:
        let limit = deadline ?? SteadyClock.milliseconds() + Self.sendLimit
        deadline = limit
        let left = limit - SteadyClock.milliseconds()
        guard left > 0 else { throw KeychainError(.silent) }
        _ = Readiness.wait([socket.descriptor], writable: 0, milliseconds: Int32(left))
      }
    }
  }

  public func receive(
    watching descriptors: [Int32], until deadline: Int64
  ) throws(KeychainError) -> Arrival {
    while true {
      if let frame = try state.withLock({ buffer throws(KeychainError) in
        try buffer.nextFrame()
      }) {
        return .frame(frame)
      }
      let left = deadline - SteadyClock.milliseconds()
      guard left > 0 else { return .timedOut }
      // What waits for nothing else waits in the call that receives, up to a second too long.
      if descriptors.isEmpty, let waitLimit, left + 1000 >= waitLimit {
        try fill(waiting: true)
        continue
      }
      switch wait(descriptors, Int32(clamping: left)) {
      case nil: break
      case 0: try fill(waiting: false)
      case .some(let ready): return .readable(descriptors[ready - 1])
      }
    }
  }

  private func fill(waiting: Bool) throws(KeychainError) {
    try state.withLock { buffer throws(KeychainError) in
      try buffer.fill(from: socket, waiting: waiting)
    }
  }

  /// Waits once.
  ///
  /// - Returns: 0 for the socket, one more than the index of another descriptor; nil for neither.
  private func wait(_ descriptors: [Int32], _ milliseconds: Int32) -> Int? {
    guard descriptors.isEmpty else {
      return Readiness.wait([socket.descriptor] + descriptors, milliseconds: milliseconds).first
    }
    return Readiness.wait(socket.descriptor, milliseconds: milliseconds) ? 0 : nil
  }
}
