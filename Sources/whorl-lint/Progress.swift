import Linux

/// A line on the terminal that says how far a long check is.
struct Progress {
  private let total: Int
  private let isShown: Bool
  private var done = 0
  private var shown = -1

  /// Fewer files are judged before one could read the line.
  private static let least = 500

  init(total: Int) {
    self.total = total
    isShown = total >= Self.least && BlockingStream.standardError.isTerminal
  }

  mutating func advance(by count: Int) {
    done += count
    let percent = total == 0 ? 100 : done * 100 / total
    guard isShown, percent > shown else { return }
    shown = percent
    BlockingStream.standardError.write("\r\(done) of \(total) files, \(percent) %")
  }

  /// Takes the line away.
  func end() {
    if isShown { BlockingStream.standardError.write("\r\u{1b}[K") }
  }
}
