import Synchronization

/// Looks at other processes below /proc, none of which keeps its caller waiting for long.
///
/// Whoever looks at the executable, the namespaces or the state of a process that is inside execve(2)
/// waits, in the kernel and deaf to signals, until the descriptors are closed that the exec closes;
/// and a file system of that process's user may take for ever to close one. So looks are made on a
/// thread apart, and a user whose process kept one waiting is not looked at for a while.
///
/// Safe on every thread.
final class ProcessLooks: Sendable {
  static let shared = ProcessLooks()

  /// Milliseconds that a look may take, with what a busy machine adds to its few microseconds.
  static let limit: Int32 = 250
  /// Milliseconds without a look at a user's processes after one that took longer.
  static let rest: Int64 = 5000
  /// Looks of one user that may be waiting in the kernel.
  static let hangingLimit = 16

  private struct Record {
    var hanging = 0
    var restsUntil: Int64 = 0
  }

  /// What a look finds.
  enum Finding: Equatable, Sendable {
    case program(Peer.Program)
    /// Of /proc/PID/stat.
    case fields([String])
  }

  private final class Look: Sendable {
    let state = Mutex((finding: Finding?.none, isOver: false, isGivenUp: false))
  }

  private struct State {
    /// By user, those alone who kept a look waiting.
    var records: [UInt32: Record] = [:]
    /// Kept for the next look.
    var idle: Looker?
  }

  private let state = Mutex(State())

  init() {}

  /// - Parameter user: whose process is looked at.
  /// - Returns: nil also where nothing was found in time, or nobody looks now.
  func look(at user: UInt32, _ body: @escaping @Sendable () -> Finding?) -> Finding? {
    guard isLookedAt(user), let looker = takeLooker() else { return nil }
    let look = Look()
    let isInTime = looker.run(milliseconds: Self.limit) {
      let finding = body()
      let isGivenUp = look.state.withLock { state in
        (state.finding, state.isOver) = (finding, true)
        return state.isGivenUp
      }
      if isGivenUp { self.returned(user) }
    }
    if isInTime { keep(looker) } else { looker.end() }
    return look.state.withLock { state in
      if !state.isOver {
        state.isGivenUp = true
        giveUp(user)
      }
      return state.finding
    }
  }

  private func takeLooker() -> Looker? {
    let idle = state.withLock { state in
      defer { state.idle = nil }
      return state.idle
    }
    return idle ?? (try? Looker.start())
  }

  private func keep(_ looker: Looker) {
    let surplus = state.withLock { state in
      defer { state.idle = looker }
      return state.idle
    }
    surplus?.end()
  }

  private func isLookedAt(_ user: UInt32) -> Bool {
    state.withLock { state in
      guard let record = state.records[user] else { return true }
      return record.hanging < Self.hangingLimit
        && record.restsUntil <= SteadyClock.milliseconds()
    }
  }

  private func giveUp(_ user: UInt32) {
    state.withLock { state in
      state.records[user, default: Record()].hanging += 1
      state.records[user]?.restsUntil = SteadyClock.milliseconds() + Self.rest
    }
  }

  private func returned(_ user: UInt32) {
    state.withLock { $0.records[user]?.hanging -= 1 }
  }
}
