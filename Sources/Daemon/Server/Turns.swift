import HostAuthentication

/// Shares the daemon's one thread among its users: in each turn of the loop a few steps of each, in
/// the order they came, however many connections a user has and however much is sent on them.
final class Turns {
  /// Steps of a user in one turn: half a millisecond or so, if nobody else waits for less.
  private static let share = 16

  private let loop: any EventLoop
  /// How many steps users had in this turn of the loop.
  private var served: [UInt32: Int] = [:]
  private var waiting: [UInt32: [() -> Void]] = [:]

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Runs `body` now when the user's share of this turn is not used up, else in a later one.
  func take(_ user: UInt32, _ body: @escaping () -> Void) {
    if served[user, default: 0] >= Self.share {
      waiting[user, default: []].append(body)
    } else {
      serve(user, body)
    }
  }

  private func serve(_ user: UInt32, _ body: () -> Void) {
    if served.isEmpty { loop.after(milliseconds: 0) { [weak self] in self?.next() } }
    served[user, default: 0] += 1
    body()
  }

  private func next() {
    served = [:]
    for (user, steps) in waiting {
      waiting[user] = steps.count > Self.share ? Array(steps[Self.share...]) : nil
      for body in steps.prefix(Self.share) { serve(user, body) }
    }
  }
}
