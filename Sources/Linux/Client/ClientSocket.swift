import CLinux
import Glibc

/// The client's end of a stream socket. No call of it waits; ``Readiness`` does.
public final class ClientSocket: Sendable {
  private let owned: OwnedDescriptor

  public var descriptor: Int32 { owned.raw }

  /// Takes over a connected socket.
  public init(owning descriptor: Int32) {
    owned = OwnedDescriptor(owning: descriptor)
  }

  /// Connects to a socket file.
  public init(path: [UInt8]) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path), !path.contains(0) else {
      throw SystemError(code: ENAMETOOLONG, call: "connect")
    }
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemError(code: errno, call: "socket") }
    owned = OwnedDescriptor(owning: raw)
    // SAFETY: the bytes and their final zero fit the path, as checked above.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // SAFETY: a `sockaddr_un` is a `sockaddr` of the given size.
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError(code: errno, call: "connect") }
  }

  /// The uid of the process that listens, as the kernel recorded it.
  public func peerUser() throws(SystemError) -> UInt32 {
    var user: UInt32 = 0
    // SAFETY: the out-parameter is valid for the length of the call.
    let code = unsafe whorl_peer_user(descriptor, &user)
    guard code == 0 else { throw SystemError(code: code, call: "getsockopt") }
    return user
  }

  /// What one transfer did.
  public enum Progress: Equatable, Sendable {
    case moved(Int)
    case wouldBlock
    case ended
  }

  /// Sends what fits of the bytes from `start` on. A peer that is gone raises no signal.
  public func send(_ bytes: Span<UInt8>, from start: Int) -> Progress {
    // SAFETY: the pointer stays inside the span, which lives for the length of the call.
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(
        descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if count >= 0 { return .moved(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
  }

  /// Receives what is there into the bytes from `start` on, which must not be empty.
  public func receive(into bytes: inout MutableSpan<UInt8>, from start: Int) -> Progress {
    // SAFETY: the pointer stays inside the span, which lives for the length of the call.
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe recv(
        descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        Int32(MSG_DONTWAIT))
    }
    if count > 0 { return .moved(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .ended
  }

  /// Ends the connection for both sides at once, also for a thread that waits on it.
  public func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Two connected ends, for a server in the same process.
  public static func pair() throws(SystemError) -> (ClientSocket, ClientSocket) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has room for both descriptors.
    let result = unsafe ends.withUnsafeMutableBufferPointer { buffer in
      unsafe socketpair(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, buffer.baseAddress)
    }
    guard result == 0 else { throw SystemError(code: errno, call: "socketpair") }
    return (ClientSocket(owning: ends[0]), ClientSocket(owning: ends[1]))
  }
}
