import Glibc
import Linux
import Testing

struct EpollTests {
  private let epoll: Epoll
  private let event: CancelEvent

  init() throws {
    epoll = try Epoll()
    event = try CancelEvent()
    try epoll.add(event.descriptor, events: Epoll.input, token: UInt64.max - 1)
  }

  @Test func `what was not read is told again`() throws {
    #expect(try epoll.wait(milliseconds: 0).isEmpty)
    event.fire()
    for _ in 0..<2 {
      #expect(try epoll.wait(milliseconds: 1000).map(\.token) == [UInt64.max - 1])
    }
    event.reset()
    #expect(try epoll.wait(milliseconds: 0).isEmpty)
  }

  @Test func `what was removed is not told`() throws {
    event.fire()
    epoll.remove(event.descriptor)
    #expect(try epoll.wait(milliseconds: 0).isEmpty)
    // Removing it twice does no harm.
    epoll.remove(event.descriptor)
  }

  @Test func `a timer fires at its time, and once`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    let start = BootClock.milliseconds()
    timer.arm(at: start + 20)
    #expect(try epoll.wait(milliseconds: 2000).map(\.token) == [1])
    #expect(BootClock.milliseconds() >= start + 20)
    timer.drain()
    #expect(try epoll.wait(milliseconds: 40).isEmpty)
  }

  @Test func `a time that has passed fires at once`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    timer.arm(at: 0)
    #expect(try epoll.wait(milliseconds: 1000).map(\.token) == [1])
  }

  @Test func `a disarmed timer does not fire`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    timer.arm(at: BootClock.milliseconds() + 10)
    timer.arm(at: nil)
    #expect(try epoll.wait(milliseconds: 40).isEmpty)
  }
}
