import CLinux

/// The socket of the daemon. No call lasts longer than its deadline, whatever the daemon does.
struct DaemonSocket: ~Copyable {
  /// Where it is unless the line in the PAM file says otherwise.
  private static let path: StaticString = "/run/whorl/whorl.sock"

  private let descriptor: Int32

  /// Connects, and refuses a server that is not root.
  init?(path: UnsafePointer<CChar>?) {
    // SAFETY: a C string of libpam's, or a literal.
    let path = unsafe path ?? CText.pointer(Self.path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let count = unsafe strnlen(path, room)
    guard count < room else { return nil }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | 0o2_000_000 | 0o4000), 0)
    guard descriptor >= 0 else { return nil }
    // SAFETY: the path and its final zero fit; the address is ours for the length of the call.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe _ = memcpy($0.baseAddress!, path, count)
    }
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      return unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // It does not block: a full queue is an error like any other.
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    var process: Int32 = 0
    var user = UInt32.max
    guard isConnected, unsafe whorl_peer_credentials(descriptor, &process, &user) == 0, user == 0
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8], until deadline: Deadline) -> Bool {
    // SAFETY: the array outlives the call.
    unsafe bytes.withUnsafeBytes { unsafe send($0, until: deadline) }
  }

  func send(_ bytes: UnsafeRawBufferPointer, until deadline: Deadline) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard waits(for: Int16(POLLOUT), deadline) else { return false }
      // SAFETY: what is left of the buffer.
      let count = unsafe CLinux.send(
        descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      if count > 0 { sent += count } else if !isPassing() { return false }
    }
    return true
  }

  /// Fills the buffer.
  func receive(_ buffer: UnsafeMutableRawBufferPointer, until deadline: Deadline) -> Bool {
    var received = 0
    while received < buffer.count {
      guard waits(for: Int16(POLLIN), deadline) else { return false }
      // SAFETY: what is left of the buffer.
      let count = unsafe recv(
        descriptor, buffer.baseAddress! + received, buffer.count - received, 0)
      if count > 0 { received += count } else if count == 0 || !isPassing() { return false }
    }
    return true
  }

  /// Exactly so many bytes of a message.
  func receive(_ count: Int, until deadline: Deadline) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    // SAFETY: the array is ours and of that size.
    let isComplete = unsafe bytes.withUnsafeMutableBytes { unsafe receive($0, until: deadline) }
    return isComplete ? bytes : nil
  }

  private func waits(for events: Int16, _ deadline: Deadline) -> Bool {
    var poller = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      let left = deadline.left
      guard left > 0 else { return false }
      // SAFETY: one structure of ours.
      let count = unsafe poll(&poller, 1, left)
      if count > 0 { return true }
      if count < 0, Self.error != EINTR { return false }
    }
  }

  /// Whether the last call failed by what passes.
  private func isPassing() -> Bool {
    let error = Self.error
    return error == EINTR || error == EAGAIN
  }

  private static var error: Int32 {
    // SAFETY: libc's own place for this thread.
    unsafe __errno_location().pointee
  }
}
