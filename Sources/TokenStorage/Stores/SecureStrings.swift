import Foundation

/// Texts in a secure store, by the keys of an enumeration: each is named once, and `allCases` is the
/// inventory of what the app leaves on the device.
///
/// ```swift
/// enum Secret: String, CaseIterable { case apiKey, pin }
/// let secrets = SecureStrings<Secret>(KeychainStore(service: "org.example.app"))
/// try secrets.save("1234", for: .pin)
/// ```
public struct SecureStrings<Key>: Sendable
where Key: RawRepresentable & CaseIterable & Sendable, Key.RawValue == String {
  private let store: any SecureStore

  public init(_ store: any SecureStore) {
    self.store = store
  }

  /// - Throws: `KeychainError.unreadableData` for what is no text.
  public func string(for key: Key) throws -> String? {
    guard let data = try store.data(for: key.rawValue) else { return nil }
    guard let text = String(data: data, encoding: .utf8) else { throw KeychainError.unreadableData }
    return text
  }

  public func save(_ string: String, for key: Key) throws {
    try store.save(Data(string.utf8), for: key.rawValue)
  }

  public func remove(_ key: Key) throws {
    try store.remove(key.rawValue)
  }

  /// Removes every key of the enumeration.
  public func removeAll() throws {
    for key in Key.allCases { try store.remove(key.rawValue) }
  }

  /// Those that have a text now. Never asks anybody.
  public func stored() throws -> [Key] {
    let keys = Set(try store.keys())
    return Key.allCases.filter { keys.contains($0.rawValue) }
  }
}
