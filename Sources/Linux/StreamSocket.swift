import CLinux
import Glibc

/// A connected stream socket that never blocks its caller.
public struct StreamSocket: Sendable {
  public enum Received: Equatable, Sendable {
    case bytes([UInt8])
    case wouldBlock
    /// The peer closed or reset the connection.
    case ended
  }

  public let descriptor: OwnedDescriptor

  /// Connects to a socket file without waiting; a full backlog is an error (`EAGAIN`).
  public init(connectingTo path: String) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity, !bytes.contains(0) else {
      throw SystemError(code: ENAMETOOLONG, call: "connect")
    }
    let raw = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemError(code: errno, call: "socket") }
    descriptor = OwnedDescriptor(owning: raw)
    // SAFETY: the bytes and their final zero fit the path, as checked above.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    // SAFETY: `sockaddr_un` is a `sockaddr` of the given size.
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError(code: errno, call: "connect") }
  }

  public init(descriptor: OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// Reads what is there, at most `limit` bytes.
  public func receive(limit: Int = 16_384) -> Received {
    var buffer = [UInt8](repeating: 0, count: limit)
    // SAFETY: the buffer has room for `limit` bytes.
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
    }
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .wouldBlock }
    return .ended
  }

  /// Sends from `start` on.
  /// - Returns: the bytes taken, 0 when the socket is full, `nil` when the peer is gone.
  public func send(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    // SAFETY: the pointer stays inside the span, which lives for the length of the call.
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(
        descriptor.raw, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
