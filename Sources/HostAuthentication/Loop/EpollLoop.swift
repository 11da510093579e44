import Linux

/// The event loop over level-triggered epoll and one timer descriptor that counts through suspend.
public final class EpollLoop: EventLoop {
  private struct Watch {
    let descriptor: Int32
    let handler: (LoopReadiness) -> Void
  }

  private struct Timer {
    let token: TimerToken
    let body: () -> Void
  }

  private static let timerToken: UInt64 = 0
  /// A year: no delay is longer, so no sum overflows.
  private static let longest: UInt64 = 365 * 86_400_000

  private let epoll: Epoll
  private let timer: BootTimer
  private var watches: [UInt64: Watch] = [:]
  /// Sorted by deadline, then by order of creation.
  private var timers: [Timer] = []
  private var armed: UInt64?
  private var lastID: UInt64 = 0
  private var isStopping = false
  public private(set) var turns: UInt64 = 0

  public init() throws(SystemError) {
    epoll = try Epoll()
    timer = try BootTimer()
    try epoll.add(timer.fileDescriptor, events: Epoll.input, token: Self.timerToken)
  }

  public func watch(
    _ descriptor: Int32, for readiness: LoopReadiness,
    _ handler: @escaping (LoopReadiness) -> Void
  ) -> WatchToken {
    lastID += 1
    let token = WatchToken(id: lastID)
    watches[token.id] = Watch(descriptor: descriptor, handler: handler)
    do throws(SystemError) {
      try epoll.add(descriptor, events: Self.events(readiness), token: token.id)
    } catch {
      after(milliseconds: 0) { [weak self] in self?.watches[token.id]?.handler(.hangUp) }
    }
    return token
  }

  public func unwatch(_ token: WatchToken) {
    guard let watch = watches.removeValue(forKey: token.id) else { return }
    epoll.remove(watch.descriptor)
  }

  @discardableResult
  public func after(milliseconds: UInt64, _ body: @escaping () -> Void) -> TimerToken {
    lastID += 1
    let deadline = BootClock.milliseconds() + min(milliseconds, Self.longest)
    let token = TimerToken(deadline: deadline, id: lastID)
    timers.insert(Timer(token: token, body: body), at: position(of: token))
    return token
  }

  public func cancel(_ timer: TimerToken) {
    let index = position(of: timer)
    if index < timers.count, timers[index].token == timer { timers.remove(at: index) }
  }

  /// Serves events until ``stop()``.
  public func run() throws(SystemError) {
    isStopping = false
    while !isStopping { try turn() }
  }

  /// Ends ``run()`` after the turn that is being served. Only from the loop's thread.
  public func stop() { isStopping = true }

  /// One turn: waits for at most `limit` milliseconds (-1: without limit), then serves what is
  /// ready.
  public func turn(limit: Int32 = -1) throws(SystemError) {
    turns += 1
    // What is due already needs no timer to end the wait.
    let isDue = timers.first.map { $0.token.deadline <= BootClock.milliseconds() } ?? false
    if !isDue { arm() }
    try epoll.wait(milliseconds: isDue ? 0 : limit) { event in
      if event.token == Self.timerToken {
        timer.drain()
        armed = nil
      } else {
        watches[event.token]?.handler(Self.readiness(event.events))
      }
    }
    fire()
  }

  /// Runs what is due now; a timer made meanwhile waits for the next turn, so that a chain of
  /// immediate timers cannot keep descriptors from being served.
  private func fire() {
    let now = BootClock.milliseconds()
    let lastOfTurn = lastID
    while let first = timers.first, first.token.deadline <= now, first.token.id <= lastOfTurn {
      timers.removeFirst()
      first.body()
    }
  }

  private func arm() {
    let next = timers.first?.token.deadline
    if next != armed {
      timer.arm(at: next)
      armed = next
    }
  }

  private func position(of token: TimerToken) -> Int {
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      let other = timers[middle].token
      if (other.deadline, other.id) < (token.deadline, token.id) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func events(_ readiness: LoopReadiness) -> UInt32 {
    (readiness.contains(.input) ? Epoll.input : 0)
      | (readiness.contains(.output) ? Epoll.output : 0)
      | (readiness.contains(.hangUp) ? Epoll.peerClosed : 0)
  }

  private static func readiness(_ events: UInt32) -> LoopReadiness {
    var readiness: LoopReadiness = []
    if events & Epoll.input != 0 { readiness.insert(.input) }
    if events & Epoll.output != 0 { readiness.insert(.output) }
    if events & Epoll.hangUp != 0 { readiness.insert(.hangUp) }
    return readiness
  }
}
