import Security
import WhorlKit
import WhorlTesting

/// Puts a keychain in memory in the place of the service, for the length of a test.
final class InProcess {
  let test: TestKeychain

  init(_ acts: FakeAuthenticator.Act..., group: String = "tests") throws {
    test = try TestKeychain(groups: [Array(group.utf8)])
    for act in acts { test.authenticator.then(act) }
    Keychain.shared = test.keychain
  }

  /// Whether somebody was asked since the last look.
  func wasAsked() -> Bool {
    defer { asked = test.authenticator.prompts.count }
    return test.authenticator.prompts.count > asked
  }

  private var asked = 0
}

func query(_ extra: [CFString: Any], account: String? = "alice") -> CFDictionary {
  var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
  if let account { query[kSecAttrAccount] = account }
  return query.merging(extra) { $1 } as CFDictionary
}

func copy(_ query: CFDictionary) -> (OSStatus, AnyObject?) {
  var result: AnyObject?
  let status = SecItemCopyMatching(query, &result)
  return (status, result)
}

func control(_ flags: SecAccessControlCreateFlags) -> SecAccessControl {
  SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)!
}
