import Linux
import Synchronization

/// Who of this process's threads has the terminal: two prompts there at once would each take the
/// other's typing, and show it once the first gives the terminal back.
struct TerminalTurn: ~Copyable {
  private static let isTaken = Mutex(false)

  /// - Parameter milliseconds: how long to wait for the one that has it. The service shows one
  ///   prompt of a user at a time, so that one is about to end.
  init?(waiting milliseconds: Int64 = 0) {
    let deadline = SteadyClock.milliseconds() + milliseconds
    while true {
      let isMine = Self.isTaken.withLock { isTaken in
        defer { isTaken = true }
        return !isTaken
      }
      if isMine { return }
      guard SteadyClock.milliseconds() < deadline else { return nil }
      _ = Readiness.wait([], milliseconds: 10)
    }
  }

  deinit { Self.isTaken.withLock { $0 = false } }
}
