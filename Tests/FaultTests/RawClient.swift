import Foundation
import Glibc
import Wire

/// A socket to the daemon that a test writes bytes to as it likes.
final class Connection {
  let descriptor: Int32

  /// - Returns: nil when nobody accepts.
  init?(_ path: String, blocking: Bool = true) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = Glibc.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if result != 0 { return nil }
    if !blocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  deinit { close(descriptor) }

  static func isAccepted(_ path: String) -> Bool { Connection(path) != nil }

  /// - Returns: whether all was taken.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  @discardableResult
  func send(_ message: ClientMessage) -> Bool { send(FrameHeader.frame(message.encoded)) }

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
}
