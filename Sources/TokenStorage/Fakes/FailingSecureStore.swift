import Foundation
import Security

/// A store whose calls fail, all or some, as of a locked keychain or a full disk.
public final class FailingSecureStore: SecureStore {
  /// What fails.
  public struct Failures: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    public static let reads = Self(rawValue: 1)
    public static let writes = Self(rawValue: 2)
    public static let removals = Self(rawValue: 4)
    public static let all: Self = [.reads, .writes, .removals]
  }

  private let store: any SecureStore
  private let status: OSStatus
  private let current: Locked<Failures>

  /// - Parameters:
  ///   - status: what the failures are.
  ///   - store: what serves the rest.
  public init(
    _ failing: Failures = .all, status: OSStatus = errSecInteractionNotAllowed,
    over store: any SecureStore = InMemorySecureStore()
  ) {
    self.store = store
    self.status = status
    current = Locked(failing)
  }

  /// What fails from now on.
  public var failing: Failures {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  public func data(for key: String) throws -> Data? {
    try fail(.reads, .read)
    return try store.data(for: key)
  }

  public func save(_ data: Data, for key: String) throws {
    try fail(.writes, .save)
    try store.save(data, for: key)
  }

  public func insert(_ data: Data, for key: String) throws -> Bool {
    try fail(.writes, .save)
    return try store.insert(data, for: key)
  }

  public func remove(_ key: String) throws {
    try fail(.removals, .delete)
    try store.remove(key)
  }

  public func removeAll() throws {
    try fail(.removals, .delete)
    try store.removeAll()
  }

  public func keys() throws -> [String] {
    try fail(.reads, .read)
    return try store.keys()
  }

  private func fail(_ what: Failures, _ operation: KeychainError.Operation) throws {
    if failing.contains(what) { throw KeychainError(operation, status) }
  }
}
