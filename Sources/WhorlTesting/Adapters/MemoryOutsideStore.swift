import Synchronization
import WhorlKit
import Wire

/// The user's own keyring, in memory: what is in it can be looked at, copied and changed, and it
/// fails when told to.
public final class MemoryOutsideStore: OutsideStore {
  private struct State {
    var items: [PlacedItem] = []
    var problem: KeyringProblem?
    var locked: Set<[UInt8]> = []
    var calls = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Everything in it, in the order in which it was placed.
  public var items: [PlacedItem] {
    get { state.withLock { $0.items } }
    set { state.withLock { $0.items = newValue } }
  }

  /// What every call ends with; nil when it is in order.
  public var problem: KeyringProblem? {
    get { state.withLock { $0.problem } }
    set { state.withLock { $0.problem = newValue } }
  }

  /// Ids whose forms cannot be dropped, as those in a collection that is locked.
  public var locked: Set<[UInt8]> {
    get { state.withLock { $0.locked } }
    set { state.withLock { $0.locked = newValue } }
  }

  /// How often it was asked for anything.
  public var calls: Int { state.withLock { $0.calls } }

  public func prepare(_ wait: StoreWait) throws(KeyringProblem) {
    try run { _ throws(KeyringProblem) in }
  }

  public func fetch(
    _ forms: [SealedForm], _ wait: StoreWait
  ) throws(KeyringProblem) -> [[UInt8]] {
    try run { state throws(KeyringProblem) in
      var found: [[UInt8]] = []
      for form in forms {
        guard let item = state.items.first(where: { $0.form == form }) else { throw .missing }
        found.append(item.bytes)
      }
      return found
    }
  }

  public func place(_ item: PlacedItem, _ wait: StoreWait) throws(KeyringProblem) {
    try run { state throws(KeyringProblem) in
      let version = SealedForm.version(of: item.bytes) ?? 0
      state.items.removeAll {
        $0.form == item.form
          || $0.form.id == item.form.id && SealedForm.version(of: $0.bytes) ?? 0 < version
      }
      state.items.append(item)
    }
  }

  public func discard(
    ids: [[UInt8]], _ wait: StoreWait
  ) throws(KeyringProblem) -> [[UInt8]] {
    try run { state throws(KeyringProblem) in
      let gone = ids.filter { !state.locked.contains($0) }
      state.items.removeAll { gone.contains($0.form.id) }
      return gone
    }
  }

  private func run<Result>(
    _ body: (inout State) throws(KeyringProblem) -> Result
  ) throws(KeyringProblem) -> Result {
    try state.withLock { state throws(KeyringProblem) in
      state.calls += 1
      if let problem = state.problem { throw problem }
      return try body(&state)
    }
  }
}
