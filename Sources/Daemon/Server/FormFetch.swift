import HostAuthentication
import Wire

/// The sealed forms that a client brings for one request: what is missing of them, what they take
/// of the user's share of memory, and how long the client may take.
final class FormFetch {
  private let forms: [SealedForm]
  private(set) var brought: [[UInt8]] = []
  private let shared: ClientConnection.Shared
  private let user: UInt32
  private let count: Int
  private var limit: TimerToken?
  private var isOver = false

  /// - Returns: nil when too much of the user's is on its way already.
  init?(_ forms: [SealedForm], for connection: ClientConnection, onLimit: @escaping () -> Void) {
    shared = connection.shared
    user = connection.subject.user
    count = forms.reduce(0) { $0 + Int($1.count) }
    self.forms = forms
    guard shared.formBudget.take(count, user) else { return nil }
    limit = shared.loop.after(milliseconds: shared.configuration.fetchLimit, onLimit)
  }

  /// Whether all of them are here.
  var isWhole: Bool {
    brought.count == forms.count && brought.last.map(\.count) == forms.last.map { Int($0.count) }
  }

  /// - Returns: false for a part that is not the next one, or longer than what is missing.
  func take(_ part: FormPart) -> Bool {
    guard !isOver, !isWhole, !part.bytes.isEmpty else { return false }
    if brought.isEmpty || brought[brought.count - 1].count == forms[brought.count - 1].count {
      var next: [UInt8] = []
      next.reserveCapacity(Int(forms[brought.count].count))
      brought.append(next)
    }
    let index = brought.count - 1
    let missing = Int(forms[index].count) - brought[index].count
    guard part.index == index, part.bytes.count == min(missing, Limits.formPart) else {
      return false
    }
    brought[index] += part.bytes
    if isWhole { stopLimit() }
    return true
  }

  private func stopLimit() {
    if let limit { shared.loop.cancel(limit) }
    limit = nil
  }

  /// The request is over, and with it what was brought.
  func end() {
    guard !isOver else { return }
    isOver = true
    stopLimit()
    brought = []
    shared.formBudget.giveBack(count, user)
  }
}
