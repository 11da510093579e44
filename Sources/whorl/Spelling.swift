import Wire

/// Guesses what a misspelled word was meant to be.
enum Spelling {
  /// The word that differs least, by two changes of a letter at most and not in all of them.
  static func nearest(_ word: String, among known: [String]) -> String? {
    let distances = known.map { (word: $0, distance: distance(Array(word), Array($0))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= min(2, (best.word.count - 1) / 2) ? best.word : nil
  }

  static func question(_ word: String?) -> String {
    word.map { "; did you mean “\($0)”?" } ?? ""
  }

  /// Letters to insert, delete, exchange or swap with their neighbor.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var rows = [Array(0...right.count)]
    for (row, letter) in left.enumerated() {
      var next = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(
          rows[row][column] + (letter == other ? 0 : 1), rows[row][column + 1] + 1,
          next[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, rows[row - 1][column - 1] + 1)
        }
        next.append(best)
      }
      rows.append(next)
    }
    return rows[left.count][right.count]
  }
}
