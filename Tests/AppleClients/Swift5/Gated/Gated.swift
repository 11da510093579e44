import LocalAuthentication

// Access controls and contexts as apps have them: Unmanaged errors, error pointers, patterns of
// LAError, a context in a query.

private let service = "org.example.gated"

private func makeControl(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
  var error: Unmanaged<CFError>?
  guard
    let control = SecAccessControlCreateWithFlags(
      kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
  else { throw error!.takeRetainedValue() as Error }
  return control
}

public func storeGated(_ account: String, _ flags: SecAccessControlCreateFlags) -> String {
  do {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecAttrAccessControl as String: try makeControl(flags) as Any,
      kSecValueData as String: "secret of \(account)".data(using: .utf8) as Any,
    ]
    return "\(SecItemAdd(query as CFDictionary, nil))"
  } catch { return (error as NSError).localizedDescription }
}

public func readGated(_ account: String, _ context: LAContext? = nil, prompt: String? = nil)
  -> String
{
  var query: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: service,
    kSecAttrAccount as String: account,
    kSecReturnData as String: true,
  ]
  if let context = context { query[kSecUseAuthenticationContext as String] = context }
  if let prompt = prompt { query[kSecUseOperationPrompt as String] = prompt }
  var item: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &item)
  guard status == errSecSuccess, let data = item as? Data else { return "\(status)" }
  return String(data: data, encoding: .utf8) ?? "?"
}

public func canEvaluate(_ policy: LAPolicy) -> String {
  let context = LAContext()
  var error: NSError?
  guard context.canEvaluatePolicy(policy, error: &error) else {
    guard let error = error else { return "no error" }
    switch error {
    case LAError.biometryNotEnrolled: return "enroll a finger"
    case LAError.biometryNotAvailable: return "no reader"
    default: return "\(error.domain) \(error.code)"
    }
  }
  return "yes \(context.biometryType == .touchID) \(context.evaluatedPolicyDomainState != nil)"
}

/// Evaluates a policy, then reads with the same context.
public func evaluateAndRead(_ account: String) -> String {
  let context = LAContext()
  context.localizedFallbackTitle = ""
  context.touchIDAuthenticationAllowableReuseDuration = 0
  let semaphore = DispatchSemaphore(value: 0)
  let answer = Answer()
  context.evaluatePolicy(
    .deviceOwnerAuthentication, localizedReason: "Unlock \(account)"
  ) { success, error in
    if success {
      answer.text = readGated(account, context)
    } else {
      switch error {
      case LAError.userCancel?: answer.text = "cancelled"
      case LAError.authenticationFailed?: answer.text = "failed"
      case let error as LAError: answer.text = "LAError \(error.code.rawValue)"
      default: answer.text = "\(String(describing: error))"
      }
    }
    semaphore.signal()
  }
  semaphore.wait()
  return answer.text
}

private final class Answer: @unchecked Sendable {
  var text = ""
}

/// All of them by one query.
public func readAllGated() -> String {
  let query: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
    kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
  ]
  var items: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &items)
  guard status == errSecSuccess, let all = items as? [Data] else { return "\(status)" }
  return all.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
}

/// Adds, and updates because it is there.
public func saveGated(_ account: String, _ secret: String) -> String {
  guard storeGated(account, .userPresence) == "\(errSecDuplicateItem)" else { return "added" }
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
  ]
  let status = SecItemUpdate(
    query as CFDictionary, [kSecValueData: Data(secret.utf8)] as CFDictionary)
  return "updated \(status)"
}

/// “Reset on first launch”.
public func wipe() -> String {
  let classes = [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey]
  return classes.map { "\(SecItemDelete([kSecClass: $0] as CFDictionary))" }.joined(separator: " ")
}

public func removeGated() -> OSStatus {
  SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary)
}
