import Foundation
import Security

// Accounts and generic attributes as Data, function-typed variables, NSDictionary results and
// messages of statuses, as older wrappers have them.

private func lookup(_ account: String, _ extra: [String: Any] = [:]) -> NSMutableDictionary {
  let dictionary = NSMutableDictionary()
  dictionary[kSecClass] = kSecClassInternetPassword
  dictionary[kSecAttrServer] = "example.org"
  dictionary[kSecAttrProtocol] = kSecAttrProtocolHTTPS
  dictionary[kSecAttrPort] = 443
  dictionary[kSecAttrAccount] = account.data(using: .utf8)!
  for (key, value) in extra { dictionary[key] = value }
  return dictionary
}

public func runDataAccounts() -> [String] {
  var lines: [String] = []
  _ = SecItemDelete([kSecClass: kSecClassInternetPassword] as CFDictionary)

  var reference: AnyObject?
  let added = SecItemAdd(
    lookup(
      "alice",
      [
        kSecValueData as String: Data([0, 1, 2, 255]), kSecAttrLabel as String: "web",
        kSecReturnPersistentRef as String: true,
      ]) as CFDictionary, &reference)
  lines.append("\(added) \(reference is Data)")
  let again = SecItemAdd(lookup("alice") as CFDictionary, nil)
  lines.append(SecCopyErrorMessageString(again, nil) as String? ?? "?")

  let retrieve: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
  var result: CFTypeRef?
  let copied = retrieve(
    lookup(
      "alice",
      [kSecReturnAttributes as String: kCFBooleanTrue!, kSecReturnData as String: kCFBooleanTrue!]),
    &result)
  guard copied == noErr, let dictionary = result as? NSDictionary else {
    return lines + ["\(copied)"]
  }
  lines.append("\(CFGetTypeID(dictionary) == CFDictionaryGetTypeID())")
  lines.append("\((dictionary[kSecValueData] as? Data).map(Array.init) ?? [])")
  lines.append(String(decoding: dictionary[kSecAttrAccount] as? Data ?? Data(), as: UTF8.self))
  lines.append(dictionary[kSecAttrLabel] as? String ?? "?")
  lines.append("\(dictionary[kSecAttrPort] as? Int ?? 0)")

  let byReference: [CFString: Any] = [kSecValuePersistentRef: reference!, kSecReturnData: true]
  var data: AnyObject?
  lines.append(
    "\(SecItemCopyMatching(byReference as CFDictionary, &data)) \((data as? Data)?.count ?? -1)")

  let nothing: [String: AnyHashable] = [
    kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: "nowhere",
  ]
  lines.append("\(SecItemCopyMatching(nothing as CFDictionary, nil) == errSecItemNotFound)")
  SecItemDelete(lookup("alice"))
  return lines
}
