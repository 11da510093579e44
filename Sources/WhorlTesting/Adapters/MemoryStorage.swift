import Vault

/// The engine's storage in memory. It counts what is written and fails when told to.
///
/// A crash is a failure at the write it happens before, and then a new engine on the same storage.
public final class MemoryStorage: VaultStorage {
  /// The kinds of write.
  public enum Write: CaseIterable, Sendable {
    case item, note, userKey, generationSlot, generationDrop
  }

  private struct FailurePlan {
    var successes: Int
    let error: StorageError
  }

  private var stores: [Owner: MemoryItemStore] = [:]
  private var userKeys: [Owner: [UInt8]] = [:]
  private var slots: [Owner: [[UInt8]]] = [:]
  private var plans: [Write: FailurePlan] = [:]
  private var counts: [Write: Int] = [:]

  public init() {}

  /// A copy of everything, as a backup or a snapshot has it. It plans no failures.
  public func copy() -> MemoryStorage {
    let copy = MemoryStorage()
    copy.stores = stores.mapValues { MemoryItemStore(copy, copying: $0) }
    copy.userKeys = userKeys
    copy.slots = slots
    return copy
  }

  /// Makes writes of this kind fail after so many more that succeed, until ``heal()``.
  public func fail(_ write: Write, after successes: Int = 0, with error: StorageError = .full) {
    plans[write] = FailurePlan(successes: successes, error: error)
  }

  /// Ends all planned failures.
  public func heal() {
    plans = [:]
  }

  /// How many writes of a kind succeeded.
  public func writes(_ write: Write) -> Int {
    counts[write, default: 0]
  }

  func count(_ write: Write) throws(StorageError) {
    if var plan = plans[write] {
      guard plan.successes > 0 else { throw plan.error }
      plan.successes -= 1
      plans[write] = plan
    }
    counts[write, default: 0] += 1
  }

  public func store(of owner: Owner) -> MemoryItemStore {
    if let store = stores[owner] { return store }
    let store = MemoryItemStore(self)
    stores[owner] = store
    return store
  }

  public func items(of owner: Owner) throws(StorageError) -> any ItemStore {
    store(of: owner)
  }

  public func userKey(of owner: Owner) throws(StorageError) -> [UInt8]? {
    userKeys[owner]
  }

  public func setUserKey(of owner: Owner, _ sealed: [UInt8]) throws(StorageError) {
    try count(.userKey)
    userKeys[owner] = sealed
  }

  public func generationOwners() throws(StorageError) -> [Owner] {
    Array(slots.keys)
  }

  public func generationSlots(of owner: Owner) throws(StorageError) -> [[UInt8]] {
    slots[owner] ?? []
  }

  public func setGenerationSlot(
    of owner: Owner, _ index: Int, _ sealed: [UInt8]
  ) throws(StorageError) {
    try count(.generationSlot)
    slots[owner, default: [[], []]][index] = sealed
  }

  public func dropGeneration(of owner: Owner, slot index: Int) throws(StorageError) {
    try count(.generationDrop)
    slots[owner] = nil
  }

  public func purge(_ owner: Owner) throws(StorageError) {
    userKeys[owner] = nil
    stores[owner] = nil
    slots[owner] = nil
  }
}
