import HostAuthentication
import Linux

/// Who takes turns.
protocol TurnTaker: AnyObject {
  var user: UInt32 { get }
  func takeTurn()
}

/// Shares the daemon's one thread among its users: in each turn of the loop a little time of each,
/// in the order they came, however many connections a user has, however much is sent on them, and
/// whatever a request costs.
final class Turns {
  /// Nanoseconds of a user in one turn. Only the step that uses them up takes longer.
  private static let share: UInt64 = 500_000

  private let loop: any EventLoop
  /// The turn of the loop that is served, and the time that users had in it.
  private var turn: UInt64 = 0
  private var spent: [UInt32: UInt64] = [:]
  private var isServing = false
  private var waiting: [UInt32: [any TurnTaker]] = [:]
  /// Whether those who wait will be served.
  private var isScheduled = false

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Serves `taker` now when its user's share of this turn is not used up, else in a later one;
  /// what is asked for within a step is another turn's.
  func ask(_ taker: any TurnTaker) {
    let user = taker.user
    if turn < loop.turns { begin(loop.turns) }
    if isServing || isOver(user) {
      waiting[user, default: []].append(taker)
      schedule()
    } else {
      serve(user, taker)
    }
  }

  private func isOver(_ user: UInt32) -> Bool { spent[user, default: 0] >= Self.share }

  private func serve(_ user: UInt32, _ taker: any TurnTaker) {
    let start = BootClock.nanoseconds()
    isServing = true
    taker.takeTurn()
    isServing = false
    spent[user, default: 0] += BootClock.nanoseconds() - start
  }

  private func begin(_ turn: UInt64) {
    self.turn = turn
    spent.removeAll(keepingCapacity: true)
  }

  private func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    loop.after(milliseconds: 0) { [weak self] in self?.next() }
  }

  /// After the descriptors of one turn those who wait begin the next.
  private func next() {
    isScheduled = false
    begin(loop.turns + 1)
    for user in Array(waiting.keys) {
      var takers = waiting.removeValue(forKey: user)?[...] ?? []
      while !isOver(user), let taker = takers.popFirst() { serve(user, taker) }
      // Before what was asked for meanwhile.
      if !takers.isEmpty { waiting[user] = takers + (waiting[user] ?? []) }
    }
    if !waiting.isEmpty { schedule() }
  }
}
