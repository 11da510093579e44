import HostAuthentication
import Linux
import Synchronization

/// Brings closures from other threads to the loop's thread, in order.
final class LoopMailbox: Sendable {
  private let event: CancelEvent
  private let closures = Mutex<[@Sendable () -> Void]>([])

  init(loop: any EventLoop) throws(SystemError) {
    event = try CancelEvent()
    let event = event
    _ = loop.watch(event.descriptor, for: .input) { [weak self] _ in
      event.reset()
      self?.deliver()
    }
  }

  /// On any thread.
  func post(_ body: @escaping @Sendable () -> Void) {
    closures.withLock { $0.append(body) }
    event.fire()
  }

  private func deliver() {
    let waiting = closures.withLock { closures in
      defer { closures = [] }
      return closures
    }
    for body in waiting { body() }
  }
}
