import Foundation
import Security

/// A random key that is made at its first use and kept: for a database or a cache of the app's.
///
/// Whoever loses it loses what it encrypts. Two programs that make it at once get the same one.
public struct SymmetricKeyStore: Sendable {
  private let store: any SecureStore
  private let name: String
  private let count: Int

  /// - Parameter count: bytes of the key, 16 to 64.
  public init(_ store: any SecureStore, name: String = "symmetricKey", count: Int = 32) {
    precondition((16...64).contains(count), "a key has 16 to 64 bytes")
    self.store = store
    self.name = name
    self.count = count
  }

  /// - Throws: the store's errors; `KeychainError.unreadableData` when what is there is no such key.
  public func key() throws -> Data {
    if let key = try kept() { return key }
    var bytes = [UInt8](repeating: 0, count: count)
    let status = SecRandomCopyBytes(kSecRandomDefault, count, &bytes)
    guard status == errSecSuccess else { throw KeychainError(.save, status) }
    let key = Data(bytes)
    if try store.insert(key, for: name) { return key }
    guard let other = try kept() else { throw KeychainError.unreadableData }
    return other
  }

  private func kept() throws -> Data? {
    guard let key = try store.data(for: name) else { return nil }
    guard key.count == count else { throw KeychainError.unreadableData }
    return key
  }
}
