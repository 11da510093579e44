import Glibc
import TestHost

/// Descriptors that go along with bytes (SCM_RIGHTS).
enum Descriptors {
  private static let headerCount = MemoryLayout<cmsghdr>.size

  /// Sends bytes and descriptors with their first.
  static func send(_ descriptors: [Int32], with bytes: [UInt8], to socket: Int32) -> Bool {
    let count = headerCount + 4 * descriptors.count
    var control = [UInt64](repeating: 0, count: (count + 7) / 8)
    return control.withUnsafeMutableBytes { control in
      var header = cmsghdr()
      header.cmsg_len = count
      header.cmsg_level = SOL_SOCKET
      header.cmsg_type = Int32(SCM_RIGHTS)
      control.storeBytes(of: header, as: cmsghdr.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor, toByteOffset: headerCount + 4 * index, as: Int32.self)
      }
      var bytes = bytes
      return transfer(control, &bytes) { sendmsg(socket, &$0, Int32(MSG_NOSIGNAL)) } > 0
    }
  }

  /// The one descriptor that comes with the next byte.
  static func receive(from socket: Int32) throws -> Int32 {
    var control = [UInt64](repeating: 0, count: 8)
    var bytes: [UInt8] = [0]
    return try control.withUnsafeMutableBytes { control in
      var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 10_000) > 0 else { throw PrivateHost.Missing("no descriptor came") }
      let count = transfer(control, &bytes) {
        recvmsg(socket, &$0, Int32(MSG_CMSG_CLOEXEC))
      }
      let header = control.load(as: cmsghdr.self)
      guard count == 1, header.cmsg_type == Int32(SCM_RIGHTS) else {
        throw PrivateHost.Missing("no descriptor came")
      }
      return control.load(fromByteOffset: headerCount, as: Int32.self)
    }
  }

  private static func transfer(
    _ control: UnsafeMutableRawBufferPointer, _ bytes: inout [UInt8],
    _ call: (inout msghdr) -> Int
  ) -> Int {
    bytes.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return withUnsafeMutablePointer(to: &vector) { vector in
        var message = msghdr()
        message.msg_iov = vector
        message.msg_iovlen = 1
        message.msg_control = control.baseAddress
        message.msg_controllen = control.count
        return call(&message)
      }
    }
  }
}
