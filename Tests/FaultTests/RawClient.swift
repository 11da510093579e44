import CFaults
import Foundation
import Glibc
import Linux
import SecretMemory
import WhorlKit
import Wire

/// A socket to the daemon that a test writes bytes to as it likes, as any user.
final class RawClient {
  let descriptor: Int32

  /// - Returns: nil when nobody accepts.
  init?(_ path: String, user: uid_t = 0) {
    descriptor = faults_connect(path, user)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  static func isAccepted(_ path: String) -> Bool { RawClient(path) != nil }

  /// - Returns: whether all was taken; what is not taken at once is dropped.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    return Glibc.send(descriptor, bytes, bytes.count, flags) == bytes.count
  }

  @discardableResult
  func send(_ message: ClientMessage) -> Bool { send(FrameHeader.frame(message.encoded)) }

  @discardableResult
  func sayHello() -> Bool { send(.hello(ClientHello())) }

  /// Whether the daemon ends the connection within the time; what it sends before is dropped.
  func ends(within seconds: Double) -> Bool {
    let limit = Date().addingTimeInterval(seconds)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let left = limit.timeIntervalSinceNow
      guard left > 0 else { return false }
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Int32(left * 1000) + 1) > 0 else { continue }
      if read(descriptor, &buffer, buffer.count) <= 0 { return true }
    }
  }

  /// Whether the daemon has ended it, though what it sent was not read.
  var isEnded: Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) > 0 && poller.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Whether something has come.
  var hasAnswer: Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) > 0 && poller.revents & Int16(POLLHUP) == 0
  }
}

/// The library's client, as any user.
struct UserTransport: Transport {
  let path: String
  let user: uid_t

  func connect() throws(KeychainError) -> any Connection {
    let raw = faults_connect(path, user)
    guard raw >= 0 else { throw KeychainError(.refused(path: Array(path.utf8), errno: errno)) }
    return SocketConnection(StreamSocket(OwnedDescriptor(owning: raw)))
  }
}
