import Synchronization

/// A thread that does one thing after the other for whoever holds this, who alone may ask it.
final class Looker: Sendable {
  private let orders: CancelEvent
  private let isDone: CancelEvent
  private let work = Mutex<(@Sendable () -> Void)?>(nil)

  /// - Throws: when there is no thread or descriptor left.
  static func start() throws(SystemError) -> Looker {
    let looker = try Looker()
    try DetachedThread.run { looker.serve() }
    return looker
  }

  private init() throws(SystemError) {
    orders = try CancelEvent()
    isDone = try CancelEvent()
  }

  /// - Returns: whether it was done in time. Otherwise this may only be ended.
  func run(milliseconds: Int32, _ body: @escaping @Sendable () -> Void) -> Bool {
    order(body)
    guard Readiness.wait(isDone.descriptor, milliseconds: milliseconds) else { return false }
    isDone.reset()
    return true
  }

  /// Ends the thread once it has done what it does.
  func end() { order(nil) }

  private func order(_ body: (@Sendable () -> Void)?) {
    work.withLock { $0 = body }
    orders.fire()
  }

  private func serve() {
    while true {
      _ = Readiness.wait(orders.descriptor, milliseconds: -1)
      orders.reset()
      guard let body = work.withLock({ $0 }) else { return }
      body()
      isDone.fire()
    }
  }
}
