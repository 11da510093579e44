import CLinux
import Glibc

/// The address of a socket file.
struct SocketAddress {
  private var address = sockaddr_un()

  /// - Throws: `ENAMETOOLONG` for a path that does not fit: the kernel would take another one.
  init(path: [UInt8], call: String) throws(SystemError) {
    guard path.count < MemoryLayout.size(ofValue: address.sun_path), !path.contains(0) else {
      throw SystemError(code: ENAMETOOLONG, call: call)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the bytes and their final zero fit the path, as checked above.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
  }

  func connect(_ descriptor: Int32) throws(SystemError) {
    // SAFETY: a `sockaddr_un` is a `sockaddr` of the given size.
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError(code: errno, call: "connect") }
  }

  func bind(_ descriptor: Int32) throws(SystemError) {
    // SAFETY: as above.
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError(code: errno, call: "bind") }
  }
}
