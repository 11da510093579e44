import AccessControl
import Foundation
import Glibc
import TestHost
import Wire

/// A client that speaks the protocol by hand, so that it can stop anywhere. It runs as root.
final class RawClient {
  private let descriptor: Int32

  init(_ host: PrivateHost) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(host.socket.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw PrivateHost.Missing("cannot connect: errno \(errno)") }
    try send(FrameHeader.frame(ClientMessage.hello(ClientHello()).encoded))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw PrivateHost.Missing("cannot send: errno \(errno)") }
      sent += count
    }
  }

  func send(_ operation: Wire.Operation) throws {
    try send(FrameHeader.frame(ClientMessage.request(Request(operation)).encoded))
  }

  /// The first `part` bytes of a secret, with the header of a whole one.
  func send(secret: String, part: Int? = nil) throws {
    let bytes = Array(secret.utf8)
    try send(FrameHeader(secretCount: bytes.count).encoded + bytes.prefix(part ?? bytes.count))
  }

  /// What the command line would call the item.
  static func identity(_ account: String) -> ItemIdentity {
    ItemIdentity(group: Array("whorl".utf8), service: [], account: Array(account.utf8))
  }
}
