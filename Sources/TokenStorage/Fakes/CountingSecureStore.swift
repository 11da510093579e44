import Foundation

/// Counts the calls on another store: the only way to test a cache.
public final class CountingSecureStore: SecureStore {
  private let store: any SecureStore
  private let counts = Locked((reads: 0, writes: 0, removals: 0))

  public init(_ store: any SecureStore = InMemorySecureStore()) {
    self.store = store
  }

  public var reads: Int { counts.withLock { $0.reads } }
  /// Saves and inserts.
  public var writes: Int { counts.withLock { $0.writes } }
  public var removals: Int { counts.withLock { $0.removals } }

  public func data(for key: String) throws -> Data? {
    counts.withLock { $0.reads += 1 }
    return try store.data(for: key)
  }

  public func save(_ data: Data, for key: String) throws {
    counts.withLock { $0.writes += 1 }
    try store.save(data, for: key)
  }

  public func insert(_ data: Data, for key: String) throws -> Bool {
    counts.withLock { $0.writes += 1 }
    return try store.insert(data, for: key)
  }

  public func remove(_ key: String) throws {
    counts.withLock { $0.removals += 1 }
    try store.remove(key)
  }

  public func removeAll() throws {
    counts.withLock { $0.removals += 1 }
    try store.removeAll()
  }

  public func keys() throws -> [String] { try store.keys() }
}
