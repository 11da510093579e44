import Foundation
import Glibc
import TestHost

/// The service manager's end of `sd_notify`.
final class NotifyListener {
  let path: String
  private let descriptor: Int32

  init(_ host: PrivateHost) throws {
    path = "\(host.folder)/notify"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard result == 0 else { throw PrivateHost.Missing("no socket for notices: \(errno)") }
  }

  deinit { close(descriptor) }

  /// The notices that came since, one line each.
  func notices() -> [String] {
    var notices: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return notices }
      notices += String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
  }
}
