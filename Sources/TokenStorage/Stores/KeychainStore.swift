import Foundation
import LocalAuthentication
import Security

/// Secrets as generic passwords of the keychain, under one service.
///
/// Unless told otherwise they are readable after the first unlock and stay on this device. Calls block
/// until the keychain has answered, which takes as long as a person does where one must be asked.
public struct KeychainStore: SecureStore {
  /// The namespace: stores of other services do not see what is in this one.
  public let service: String
  /// When what is stored can be read.
  public let protection: KeychainProtection
  /// What a person must prove at each read; nil for nothing.
  public let flags: SecAccessControlCreateFlags?
  /// Why a person is asked, in this app's words.
  public var reason: String?
  /// Whose proof serves reads.
  public var context: LAContext?

  /// - Parameter flags: for what is of high value, as `.biometryCurrentSet`.
  public init(
    service: String, protection: KeychainProtection = .afterFirstUnlockThisDeviceOnly,
    flags: SecAccessControlCreateFlags? = nil, reason: String? = nil, context: LAContext? = nil
  ) {
    self.service = service
    self.protection = protection
    self.flags = flags
    self.reason = reason
    self.context = context
  }

  public func data(for key: String) throws -> Data? {
    var query = query(key)
    query[kSecReturnData] = true
    query[kSecUseOperationPrompt] = reason
    query[kSecUseAuthenticationContext] = context
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    if status == errSecItemNotFound { return nil }
    guard status == errSecSuccess else { throw KeychainError(.read, status) }
    guard let data = item as? Data else { throw KeychainError.unreadableData }
    return data
  }

  public func save(_ data: Data, for key: String) throws {
    let status = SecItemAddReplacing(try item(data, key) as CFDictionary)
    guard status == errSecSuccess else { throw KeychainError(.save, status) }
  }

  public func insert(_ data: Data, for key: String) throws -> Bool {
    let status = SecItemAdd(try item(data, key) as CFDictionary, nil)
    if status == errSecDuplicateItem { return false }
    guard status == errSecSuccess else { throw KeychainError(.save, status) }
    return true
  }

  public func remove(_ key: String) throws {
    try delete(query(key))
  }

  public func removeAll() throws {
    try delete(query(nil))
  }

  public func keys() throws -> [String] {
    var query = query(nil)
    query[kSecReturnAttributes] = true
    query[kSecMatchLimit] = kSecMatchLimitAll
    var items: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &items)
    if status == errSecItemNotFound { return [] }
    guard status == errSecSuccess else { throw KeychainError(.read, status) }
    // An empty account is none to the keychain.
    return (items as? [[String: Any]] ?? []).compactMap {
      ($0[kSecAttrAccount as String] ?? "") as? String
    }
  }

  private func query(_ key: String?) -> [CFString: Any] {
    var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
    query[kSecAttrAccount] = key
    return query
  }

  private func item(_ data: Data, _ key: String) throws -> [CFString: Any] {
    var item = query(key)
    item[kSecValueData] = data
    guard let flags else {
      item[kSecAttrAccessible] = protection.constant
      return item
    }
    guard let control = SecAccessControlCreateWithFlags(nil, protection.constant, flags, nil) else {
      throw KeychainError(.save, errSecParam)
    }
    item[kSecAttrAccessControl] = control
    item[kSecUseAuthenticationContext] = context
    return item
  }

  private func delete(_ query: [CFString: Any]) throws {
    let status = SecItemDelete(query as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else {
      throw KeychainError(.delete, status)
    }
  }
}
