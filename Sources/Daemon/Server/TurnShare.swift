/// How many requests of each user were begun in this turn of the loop, so that a user with many
/// connections costs the others no more time than one with few.
final class TurnShare {
  private static let limit = 4

  private var turn: UInt64 = 0
  private var counts: [UInt32: Int] = [:]

  func hasRoom(_ user: UInt32, turn: UInt64) -> Bool {
    turn != self.turn || counts[user, default: 0] < Self.limit
  }

  func take(_ user: UInt32, turn: UInt64) {
    if turn != self.turn {
      self.turn = turn
      counts.removeAll(keepingCapacity: true)
    }
    counts[user, default: 0] += 1
  }
}
