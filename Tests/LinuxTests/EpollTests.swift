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

  private func tokens(_ milliseconds: Int32) throws -> [UInt64] {
    var tokens: [UInt64] = []
    try epoll.wait(milliseconds: milliseconds) { tokens.append($0.token) }
    return tokens
  }

  @Test func `what was not read is told again`() throws {
    #expect(try tokens(0).isEmpty)
    event.fire()
    for _ in 0..<2 {
      #expect(try tokens(1000) == [UInt64.max - 1])
    }
    event.reset()
    #expect(try tokens(0).isEmpty)
  }

  @Test func `what was removed is not told`() throws {
    event.fire()
    epoll.remove(event.descriptor)
    #expect(try tokens(0).isEmpty)
    // Removing it twice does no harm.
    epoll.remove(event.descriptor)
  }

  @Test func `a timer fires at its time, and once`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    let start = BootClock.milliseconds()
    timer.arm(at: start + 20)
    #expect(try tokens(2000) == [1])
    #expect(BootClock.milliseconds() >= start + 20)
    timer.drain()
    #expect(try tokens(40).isEmpty)
  }

  @Test func `a time that has passed fires at once`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    timer.arm(at: 0)
    #expect(try tokens(1000) == [1])
  }

  @Test func `a disarmed timer does not fire`() throws {
    let timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: 1)
    timer.arm(at: BootClock.milliseconds() + 10)
    timer.arm(at: nil)
    #expect(try tokens(40).isEmpty)
  }

  @Test func `more events than one wait takes are told by the next`() throws {
    let events = try (0..<100).map { _ in try CancelEvent() }
    for (token, event) in events.enumerated() {
      try epoll.add(event.descriptor, events: Epoll.input, token: UInt64(token))
      event.fire()
    }
    var told: Set<UInt64> = []
    for _ in 0..<2 { told.formUnion(try tokens(1000)) }
    #expect(told == Set(0..<100))
  }
}
