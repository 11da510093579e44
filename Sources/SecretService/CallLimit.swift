import CSecret
import Linux
import Synchronization

/// Ends calls that take too long, from a thread of its own: libsecret's calls wait, and a prompt
/// that nobody answers waits for ever.
final class CallLimit: Sendable {
  /// nil where the system has no thread or descriptor left; no call is made then.
  static let shared = try? CallLimit()

  private struct Call {
    let number: Int
    let end: Int64
    let cancellable: Cancellable
  }

  private struct State {
    var calls: [Call] = []
    var next = 0
  }

  private let state = Mutex(State())
  private let changed: CancelEvent

  private init() throws(SystemError) {
    changed = try CancelEvent()
    try DetachedThread.run { [self] in watch() }
  }

  /// Begins to watch a call.
  ///
  /// - Parameter milliseconds: how long it may take.
  /// - Returns: what ``end(_:)`` takes.
  func begin(_ cancellable: Cancellable, milliseconds: Int64) -> Int {
    let end = SteadyClock.milliseconds() + milliseconds
    let number = state.withLock { state in
      state.next += 1
      state.calls.append(Call(number: state.next, end: end, cancellable: cancellable))
      return state.next
    }
    changed.fire()
    return number
  }

  func end(_ number: Int) {
    state.withLock { state in state.calls.removeAll { $0.number == number } }
  }

  private func watch() {
    while true {
      let now = SteadyClock.milliseconds()
      let (over, next) = state.withLock { state in
        let over = state.calls.filter { $0.end <= now }
        state.calls.removeAll { $0.end <= now }
        return (over, state.calls.map(\.end).min())
      }
      for call in over { call.cancellable.cancel() }
      // Never longer than poll(2) can count.
      let wait = next.map { Int32(clamping: max(0, $0 - now)) } ?? -1
      _ = Readiness.wait([changed.descriptor], milliseconds: wait)
      changed.reset()
    }
  }
}
