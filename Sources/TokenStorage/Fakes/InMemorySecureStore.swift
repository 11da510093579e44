import Foundation

/// Secrets in memory, gone with it: for previews, tests and hosts without a keychain.
///
/// ```swift
/// let store: any SecureStore = isPreview ? InMemorySecureStore() : KeychainStore(service: service)
/// ```
public final class InMemorySecureStore: SecureStore {
  private let items: Locked<[String: Data]>

  /// - Parameter seed: what is there at first.
  public init(_ seed: [String: Data] = [:]) {
    items = Locked(seed)
  }

  /// Already signed in.
  public static func signedIn(access: String = "token", refresh: String? = nil) -> Self {
    let session = try? JSONEncoder().encode(AuthTokens(access: access, refresh: refresh))
    return Self(session.map { [TokenStore.key: $0] } ?? [:])
  }

  public func data(for key: String) -> Data? {
    items.withLock { $0[key] }
  }

  public func save(_ data: Data, for key: String) {
    items.withLock { $0[key] = data }
  }

  public func insert(_ data: Data, for key: String) -> Bool {
    items.withLock { items in
      guard items[key] == nil else { return false }
      items[key] = data
      return true
    }
  }

  public func remove(_ key: String) {
    items.withLock { $0[key] = nil }
  }

  public func removeAll() {
    items.withLock { $0 = [:] }
  }

  public func keys() -> [String] {
    items.withLock { $0.keys.sorted() }
  }
}
