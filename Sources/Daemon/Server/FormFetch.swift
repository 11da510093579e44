import HostAuthentication
import Wire

/// The sealed forms that a client brings for one request: what is missing of them, what they take
/// of the user's share of memory, and how long the client may take: long to begin, since a person may
/// have to unlock a keyring, and not so long to bring what it has begun.
final class FormFetch {
  private let forms: [SealedForm]
  private var brought: [[UInt8]] = []
  private let shared: ClientConnection.Shared
  private let user: UInt32
  private let count: Int
  private var limit: TimerToken?
  private let onLimit: () -> Void
  private var hasMemory = false
  private var isOver = false

  init(_ forms: [SealedForm], for connection: ClientConnection, onLimit: @escaping () -> Void) {
    shared = connection.shared
    user = connection.subject.user
    count = forms.reduce(0) { $0 + Int($1.count) }
    self.forms = forms
    self.onLimit = onLimit
    limit = shared.loop.after(milliseconds: shared.configuration.fetchLimit, onLimit)
  }

  private var isWhole: Bool {
    brought.count == forms.count && brought.last.map(\.count) == forms.last.map { Int($0.count) }
  }

  /// The forms, once, when all of them are here.
  func takeAll() -> [[UInt8]]? {
    guard !isOver, isWhole else { return nil }
    isOver = true
    defer { brought = [] }
    return brought
  }

  /// - Returns: why not; a part must be the next one, and as long as it can be.
  func take(_ part: FormPart) -> Failure? {
    guard !isOver else { return Failure(.protocolViolation) }
    if !hasMemory {
      guard shared.formBudget.take(count, user) else {
        return Failure(.busy, detail: Array("other items are on their way".utf8))
      }
      hasMemory = true
      stopLimit()
      limit = shared.loop.after(milliseconds: shared.configuration.writeLimit, onLimit)
    }
    if brought.isEmpty || brought[brought.count - 1].count == forms[brought.count - 1].count {
      var next: [UInt8] = []
      next.reserveCapacity(Int(forms[brought.count].count))
      brought.append(next)
    }
    let index = brought.count - 1
    let missing = Int(forms[index].count) - brought[index].count
    guard part.index == index, part.bytes.count == min(missing, Limits.formPart) else {
      return Failure(.protocolViolation)
    }
    brought[index] += part.bytes
    if isWhole { stopLimit() }
    return nil
  }

  private func stopLimit() {
    if let limit { shared.loop.cancel(limit) }
    limit = nil
  }

  /// The request is over, and with it what was brought.
  func end() {
    isOver = true
    stopLimit()
    brought = []
    if hasMemory { shared.formBudget.giveBack(count, user) }
    hasMemory = false
  }
}
