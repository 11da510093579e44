import Foundation
import Security

// A wrapper as apps have it: a shared instance, dictionaries of CFString, ignored results.

public enum KeychainWrapperError: Error, Equatable {
  case duplicate
  case notFound
  case unexpected(OSStatus)

  init(_ status: OSStatus) {
    switch status {
    case errSecDuplicateItem: self = .duplicate
    case errSecItemNotFound: self = .notFound
    default: self = .unexpected(status)
    }
  }
}

public final class KeychainWrapper: Sendable {
  public static let shared = KeychainWrapper()

  private let service: String

  private init(service: String = Bundle.main.bundleIdentifier ?? "org.example.app") {
    self.service = service
  }

  private func baseQuery(_ key: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: key,
    ]
  }

  public func set(_ value: String, forKey key: String) throws {
    let data = value.data(using: .utf8)!
    var query = baseQuery(key)
    query[kSecValueData as String] = data
    query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
    let status = SecItemAdd(query as CFDictionary, nil)
    if status == errSecDuplicateItem {
      let update = [kSecValueData as String: data]
      let updated = SecItemUpdate(baseQuery(key) as CFDictionary, update as CFDictionary)
      guard updated == errSecSuccess else { throw KeychainWrapperError(updated) }
      return
    }
    guard status == noErr else { throw KeychainWrapperError(status) }
  }

  public func string(forKey key: String) throws -> String {
    var query = baseQuery(key)
    query[kSecReturnData as String] = kCFBooleanTrue!
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess else { throw KeychainWrapperError(status) }
    guard let data = item as? Data, let value = String(data: data, encoding: .utf8) else {
      throw KeychainWrapperError.unexpected(errSecDecode)
    }
    return value
  }

  public func allKeys() -> [String] {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: service,
      kSecReturnAttributes: true,
      kSecMatchLimit: kSecMatchLimitAll,
    ]
    var result: AnyObject?
    let status = withUnsafeMutablePointer(to: &result) {
      SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    guard status == errSecSuccess, let items = result as? [[String: Any]] else { return [] }
    return items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
  }

  public func remove(_ key: String) {
    SecItemDelete(baseQuery(key) as CFDictionary)
  }

  public func removeAll() {
    let query: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
    SecItemDelete(query)
  }
}

/// What the tests run, line by line.
public func runWrapper() -> [String] {
  var lines: [String] = []
  let keychain = KeychainWrapper.shared
  keychain.removeAll()
  do {
    try keychain.set("one", forKey: "a")
    try keychain.set("two", forKey: "b")
    try keychain.set("uno", forKey: "a")
    lines.append(try keychain.string(forKey: "a"))
    lines.append(keychain.allKeys().joined(separator: ","))
    keychain.remove("a")
    _ = try keychain.string(forKey: "a")
  } catch KeychainWrapperError.notFound {
    lines.append("not found")
  } catch {
    lines.append("\(error)")
  }
  lines.append(keychain.allKeys().joined(separator: ","))
  keychain.removeAll()
  return lines
}
