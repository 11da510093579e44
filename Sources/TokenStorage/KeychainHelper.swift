import Foundation
import Security

/// The keychain as three functions, for an app with one or two secrets.
public enum KeychainHelper {
  /// Stores data in place of what is there, if anything. Readable after the first unlock, on this
  /// device only.
  ///
  /// - Throws: ``KeychainError``.
  public static func save(_ data: Data, service: String, account: String) throws(KeychainError) {
    let values: [CFString: Any] = [
      kSecValueData: data,
      kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    let query = query(service, account)
    let status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
    if status == errSecSuccess { return }
    guard status == errSecDuplicateItem else { throw KeychainError(.save, status) }
    let updated = SecItemUpdate(query as CFDictionary, values as CFDictionary)
    guard updated == errSecSuccess else { throw KeychainError(.update, updated) }
  }

  /// - Throws: ``KeychainError``; what is not there is `.read(errSecItemNotFound)`.
  public static func read(service: String, account: String) throws(KeychainError) -> Data {
    var item: CFTypeRef?
    let query = query(service, account).merging([kSecReturnData: true]) { $1 }
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess else { throw KeychainError(.read, status) }
    guard let data = item as? Data else { throw .unreadableData }
    return data
  }

  /// Deletes what is there. That nothing is there is no failure.
  ///
  /// - Throws: ``KeychainError``.
  public static func delete(service: String, account: String) throws(KeychainError) {
    let status = SecItemDelete(query(service, account) as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else {
      throw KeychainError(.delete, status)
    }
  }

  private static func query(_ service: String, _ account: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
  }
}
