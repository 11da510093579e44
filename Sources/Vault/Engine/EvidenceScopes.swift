import AccessControl
import Wire

/// Which requests a piece of evidence may serve.
///
/// 1. The request it was gathered for: kept by the ``PendingOperation``.
/// 2. Requests that name the same explicit auth context on the same connection, until it is
///    invalidated, for at most 300 seconds.
/// 3. Other requests of the same user in the same session and on the same terminal, as long as
///    the gathering prompt said, the asking request and the item's own limit all allow.
///
/// Lock, suspend and a new generation end 2 and 3.
final class EvidenceScopes {
  private struct Context: Hashable {
    let connection: UInt64
    let number: UInt32
  }

  /// Where evidence may serve again: one user, one login session, one terminal.
  struct Place: Hashable {
    let user: UInt32
    let session: [UInt8]
    let terminal: UInt64

    init(_ subject: Subject) {
      user = subject.user
      session = subject.session
      terminal = subject.terminal
    }
  }

  private struct Reusable {
    let evidence: Evidence
    let seconds: UInt32
  }

  private static let second: UInt64 = 1_000_000_000
  /// Invalidated contexts that are remembered for one connection. A client that invalidates more
  /// has invalidated all.
  static let invalidatedLimit = 1024

  private var contexts: [Context: [Evidence]] = [:]
  private var invalidated: [UInt64: Set<UInt32>] = [:]
  private var reusable: [Place: [Reusable]] = [:]

  /// Evidence that may serve `request` for an item with the given reuse limit.
  ///
  /// - Parameters:
  ///   - now: CLOCK_BOOTTIME, nanoseconds.
  ///   - place: asked for only when evidence of other requests may serve.
  func evidence(
    for request: Request, by caller: PendingOperation.Caller, itemLimit: UInt32, now: UInt64,
    at place: @autoclosure () -> Place?
  ) -> [Evidence] {
    var found: [Evidence] = []
    if request.context != 0 {
      let context = Context(connection: caller.connection, number: request.context)
      found = (contexts[context] ?? []).filter {
        Self.isFresh($0, AccessControl.longestReuse, now)
      }
    }
    let allowed = min(request.reuse, itemLimit)
    if allowed > 0, let place = place() {
      found += (reusable[place] ?? []).filter {
        Self.isFresh($0.evidence, min($0.seconds, allowed), now)
      }.map(\.evidence)
    }
    return found
  }

  /// Keeps evidence beyond its request.
  ///
  /// - Parameter reuse: seconds that the prompt said, 0 for none.
  func keep(
    _ evidence: Evidence, for request: Request, by caller: PendingOperation.Caller, reuse: UInt32,
    at place: @autoclosure () -> Place?
  ) {
    if request.context != 0 {
      let context = Context(connection: caller.connection, number: request.context)
      contexts[context, default: []].removeAll { $0.factor == evidence.factor }
      contexts[context, default: []].append(evidence)
    }
    if reuse > 0, let place = place() {
      reusable[place, default: []].removeAll { $0.evidence.factor == evidence.factor }
      reusable[place, default: []].append(Reusable(evidence: evidence, seconds: reuse))
    }
  }

  func isInvalidated(_ request: Request, _ connection: UInt64) -> Bool {
    guard request.context != 0, let numbers = invalidated[connection] else { return false }
    return numbers.contains(request.context) || numbers.count >= Self.invalidatedLimit
  }

  func invalidate(_ number: UInt32, connection: UInt64) {
    guard number != 0 else { return }
    let context = Context(connection: connection, number: number)
    contexts[context] = nil
    if invalidated[connection, default: []].count < Self.invalidatedLimit {
      invalidated[connection, default: []].insert(number)
    }
  }

  /// The connection is gone, and with it everything that named its contexts.
  func end(connection: UInt64) {
    contexts = contexts.filter { $0.key.connection != connection }
    invalidated[connection] = nil
  }

  /// Lock, suspend or a new generation: nothing gathered before serves another request.
  ///
  /// - Parameter user: whose; nil for everyone's.
  func end(user: UInt32?) {
    contexts = contexts.mapValues { $0.filter { user != nil && $0.user != user } }
    reusable = reusable.filter { user != nil && $0.key.user != user }
  }

  private static func isFresh(_ evidence: Evidence, _ seconds: UInt32, _ now: UInt64) -> Bool {
    now >= evidence.time && now - evidence.time <= UInt64(seconds) * second
  }
}
