import Foundation
import Security

/// Keeps the app's one auth token in the keychain.
///
/// This file needs nothing but Foundation and Security, so that it can be copied into an app. It logs
/// nothing. Safe on every thread; each call blocks until the keychain has answered.
public final class KeychainService: Sendable {
  public static let shared = KeychainService()

  private let service = Bundle.main.bundleIdentifier ?? "KeychainService"
  private let account = "authToken"

  private init() {}

  /// Stores the token in place of the one before, if there is one. Readable after the first unlock, so
  /// that work in the background has it.
  ///
  /// - Returns: whether it is stored.
  @discardableResult
  public func save(token: String) -> Bool {
    let values: [String: Any] = [
      kSecValueData as String: Data(token.utf8),
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
    ]
    let updated = SecItemUpdate(query as CFDictionary, values as CFDictionary)
    if updated == errSecSuccess { return true }
    // What cannot be changed, as an item that somebody must be asked for, goes: a token that is out of
    // date would be taken for this one.
    if updated != errSecItemNotFound { SecItemDelete(query as CFDictionary) }
    return SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil) == errSecSuccess
  }

  /// The token; nil when there is none, or when it cannot be read.
  public func getToken() -> String? {
    var query = query
    query[kSecReturnData as String] = true
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var item: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
      let data = item as? Data
    else { return nil }
    return String(data: data, encoding: .utf8)
  }

  /// Deletes the token. That there is none is no failure.
  ///
  /// - Returns: whether there is none any more.
  @discardableResult
  public func deleteToken() -> Bool {
    let status = SecItemDelete(query as CFDictionary)
    return status == errSecSuccess || status == errSecItemNotFound
  }

  private var query: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
    ]
  }
}
