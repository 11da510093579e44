import HostAuthentication

/// Shares the daemon's one thread among its users: in each turn of the loop one step of each, in
/// the order they came, however many connections a user has and however much is sent on them.
final class Turns {
  private let loop: any EventLoop
  /// Users who had their step in this turn of the loop.
  private var served: Set<UInt32> = []
  private var waiting: [UInt32: [() -> Void]] = [:]

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Runs `body` now when nothing of the user's was done in this turn, else in a later one.
  func take(_ user: UInt32, _ body: @escaping () -> Void) {
    if served.contains(user) {
      waiting[user, default: []].append(body)
    } else {
      serve(user, body)
    }
  }

  private func serve(_ user: UInt32, _ body: () -> Void) {
    if served.isEmpty { loop.after(milliseconds: 0) { [weak self] in self?.next() } }
    served.insert(user)
    body()
  }

  private func next() {
    served = []
    for user in waiting.keys {
      guard let body = waiting[user]?.removeFirst() else { continue }
      if waiting[user]?.isEmpty == true { waiting[user] = nil }
      serve(user, body)
    }
  }
}
