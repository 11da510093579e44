import Foundation
import Security
import Testing
import TokenStorage
import WhorlTesting

extension TokenStorageTests {
  @Suite struct KeychainServiceTests {
    private let service = KeychainService.shared
    private let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "KeychainService",
      kSecAttrAccount: "authToken",
    ]

    private func attributes() -> [String: Any]? {
      var result: AnyObject?
      SecItemCopyMatching(
        item.merging([kSecReturnAttributes: true]) { $1 } as CFDictionary, &result)
      return result as? [String: Any]
    }

    private func add(_ extra: [CFString: Any]) -> OSStatus {
      SecItemAdd(item.merging(extra) { $1 } as CFDictionary, nil)
    }

    @Test func `a token is saved, read and deleted`() throws {
      let keychain = try makeKeychain()
      #expect(service.getToken() == nil)
      #expect(service.save(token: "one"))
      #expect(service.getToken() == "one")
      #expect(service.deleteToken())
      #expect(service.getToken() == nil)
      #expect(service.deleteToken())
      withExtendedLifetime(keychain) {}
    }

    @Test func `it has three methods and no overloads`() throws {
      let source = try TokenStorageTests.source("KeychainService.swift")
      let methods = source.matches(of: /\bfunc (\w+)\(([^)]*)\)/).map { "\($0.1)(\($0.2))" }
      #expect(methods == ["save(token: String)", "getToken()", "deleteToken()"])
      #expect(!source.contains("extension"))
      let imports = source.matches(of: /import (\w+)/).map { String($0.1) }
      #expect(imports == ["Foundation", "Security"])
    }

    @Test func `one token, under a fixed account and the bundle identifier or a fallback`() throws {
      let keychain = try makeKeychain()
      service.save(token: "one")
      service.save(token: "two")
      let names = try keychain.keychain.list().map(\.identity.name.bytes)
      let bundle = Bundle.main.bundleIdentifier ?? "KeychainService"
      #expect(names == [Array("\(bundle)/authToken".utf8)])
    }

    @Test func `the token is readable after the first unlock`() throws {
      let keychain = try makeKeychain()
      service.save(token: "one")
      #expect(
        attributes()?[kSecAttrAccessible as String] as? String
          == kSecAttrAccessibleAfterFirstUnlock as String)
      keychain.host.isUnlocked = false
      #expect(service.getToken() == "one")
    }

    @Test func `any read error is no token`() throws {
      let keychain = try makeKeychain()
      service.save(token: "one")
      keychain.host.isUnlocked = false
      keychain.host.wasUnlockedSinceBoot = false
      #expect(service.getToken() == nil)
      removeKeychain()
      #expect(service.getToken() == nil)
      #expect(!service.save(token: "two") && !service.deleteToken())
      _ = try makeKeychain()
      #expect(add([kSecValueData: Data([0xff, 0xfe])]) == errSecSuccess)
      #expect(service.getToken() == nil)
    }

    @Test func `saving replaces what is there, also what would ask and what has another class`()
      throws
    {
      let keychain = try makeKeychain(.cancel)
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
      #expect(add([kSecValueData: Data("old".utf8), kSecAttrAccessControl: control]) == 0)
      #expect(service.save(token: "new"))
      #expect(service.getToken() == "new")
      service.deleteToken()
      let locked: [CFString: Any] = [
        kSecValueData: Data("old".utf8), kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
      ]
      #expect(add(locked) == 0)
      #expect(service.save(token: "newer"))
      #expect(service.getToken() == "newer")
      #expect(attributes()?[kSecAttrAccessible as String] as? String == "ck")
      withExtendedLifetime(keychain) {}
    }

    @Test func `nothing of the token is described or logged`() throws {
      let keychain = try makeKeychain()
      service.save(token: "tok-123")
      var dumped = ""
      dump(service, to: &dumped)
      #expect(!(dumped + "\(service)" + String(reflecting: service)).contains("tok-123"))
      let source = try TokenStorageTests.source("KeychainService.swift")
      #expect(!source.contains(/\b(print|NSLog|debugPrint|Logger|AppLog|os_log)\b/))
      withExtendedLifetime(keychain) {}
    }
  }
}
