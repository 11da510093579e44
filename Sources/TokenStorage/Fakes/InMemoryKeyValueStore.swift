import Foundation

/// Plain values in memory, for previews and tests.
public final class InMemoryKeyValueStore: KeyValueStore {
  private let values: Locked<[String: Data]>

  public init(_ seed: [String: Data] = [:]) {
    values = Locked(seed)
  }

  public func value(for key: String) -> Data? { values.withLock { $0[key] } }

  public func setValue(_ value: Data?, for key: String) {
    values.withLock { $0[key] = value }
  }

  public func removeAll() { values.withLock { $0 = [:] } }
}
