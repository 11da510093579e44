import CLinux
import Glibc

/// A level-triggered epoll set.
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

  public init() throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemError(code: errno, call: "epoll_create1") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  public func add(_ fd: Int32, events: UInt32, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, fd, events, token)
  }

  public func modify(_ fd: Int32, events: UInt32, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, fd, events, token)
  }

  public func remove(_ fd: Int32) {
    // A closed descriptor has left the set already.
    _ = epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, fd, nil)
  }

  /// Waits for events; -1 milliseconds means without limit. A signal ends the wait with none.
  public func wait(milliseconds: Int32, limit: Int = 64) throws(SystemError) -> [Event] {
    // SAFETY: the array has room for `limit` events, of which the kernel fills the first `count`;
    // the union always holds the number put in by `control`.
    var events = unsafe [epoll_event](repeating: epoll_event(), count: limit)
    let count = unsafe epoll_wait(descriptor.raw, &events, Int32(limit), milliseconds)
    if count < 0 {
      guard errno == EINTR else { throw SystemError(code: errno, call: "epoll_wait") }
      return []
    }
    return unsafe events[..<Int(count)].map {
      unsafe Event(token: $0.data.u64, events: $0.events)
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
