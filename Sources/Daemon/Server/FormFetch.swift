import HostAuthentication
import Wire

/// The sealed forms that a client brings for one request: what is missing of them, what they take
/// of the user's share of memory, and how long the client may take: long to begin, since a person may
/// have to unlock a keyring, and not so long to bring what it has begun.
final class FormFetch {
  private var assembly: FormAssembly
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
    assembly = FormAssembly(forms)
    self.onLimit = onLimit
    limit = shared.loop.after(milliseconds: shared.configuration.fetchLimit, onLimit)
  }

  /// The forms, once, when all of them are here.
  func takeAll() -> [[UInt8]]? {
    guard !isOver, let forms = assembly.whole else { return nil }
    isOver = true
    drop()
    return forms
  }

  /// - Returns: why not.
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
    guard assembly.take(part) else { return Failure(.protocolViolation) }
    if assembly.isWhole { stopLimit() }
    return nil
  }

  private func drop() { assembly = FormAssembly([]) }

  private func stopLimit() {
    if let limit { shared.loop.cancel(limit) }
    limit = nil
  }

  /// The request is over, and with it what was brought.
  func end() {
    isOver = true
    stopLimit()
    drop()
    if hasMemory { shared.formBudget.giveBack(count, user) }
    hasMemory = false
  }
}
