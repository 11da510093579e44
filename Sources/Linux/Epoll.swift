import CLinux
import Glibc

/// A level-triggered epoll set.
@safe
public final class Epoll {
  public struct Event: Sendable {
    public let token: UInt64
    public let events: UInt32
  }

  public static let input = UInt32(EPOLLIN.rawValue)
  public static let output = UInt32(EPOLLOUT.rawValue)
  public static let hangUp = UInt32(EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
  /// The peer will send no more.
  public static let peerClosed = UInt32(EPOLLRDHUP.rawValue)

  private let descriptor: OwnedDescriptor
  /// Where the kernel puts events; kept, so that a wait allocates nothing.
  // SAFETY: the kernel writes here in `wait` alone, within the length.
  private var arrived = unsafe [epoll_event](repeating: epoll_event(), count: 64)

  public init() throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemError(code: errno, call: "epoll_create1") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  public func add(_ fd: Int32, events: UInt32, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, fd, events, token)
  }

  public func remove(_ fd: Int32) {
    // A closed descriptor has left the set already.
    _ = epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, fd, nil)
  }

  /// Waits for events, and gives each to `body`, which must not wait here itself.
  ///
  /// - Parameter milliseconds: -1 for no limit. A signal ends the wait with no event.
  public func wait(milliseconds: Int32, _ body: (Event) -> Void) throws(SystemError) {
    // SAFETY: the array's own length.
    let count = unsafe arrived.withUnsafeMutableBufferPointer { events in
      unsafe epoll_wait(descriptor.raw, events.baseAddress, Int32(events.count), milliseconds)
    }
    guard count >= 0 || errno == EINTR else {
      throw SystemError(code: errno, call: "epoll_wait")
    }
    for index in 0..<max(0, Int(count)) {
      // SAFETY: the union always holds the number put in by `control`.
      body(unsafe Event(token: arrived[index].data.u64, events: arrived[index].events))
    }
  }

  private func control(
    _ operation: Int32, _ fd: Int32, _ events: UInt32, _ token: UInt64
  ) throws(SystemError) {
    // SAFETY: the event is read during the call only.
    var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: token))
    guard unsafe epoll_ctl(descriptor.raw, operation, fd, &event) == 0 else {
      throw SystemError(code: errno, call: "epoll_ctl")
    }
  }
}
