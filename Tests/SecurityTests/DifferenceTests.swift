import Foundation
import LocalAuthentication
import Security
import Testing
import WhorlKit
import WhorlTesting

extension SecurityTests {
  /// Each deliberate difference to Apple's systems, as the page for those who port code lists them.
  @Suite struct DifferenceTests {
    let keychain: InProcess

    init() throws {
      keychain = try InProcess()
      let gated: [CFString: Any] = [
        kSecValueData: Data("s".utf8), kSecAttrAccessControl: control(.biometryCurrentSet),
      ]
      #expect(SecItemAdd(query(gated), nil) == errSecSuccess)
    }

    @Test func `Reading attributes and existence never asks`() {
      #expect(copy(query([kSecReturnAttributes: true])).0 == errSecSuccess)
      #expect(copy(query([:])).0 == errSecSuccess)
      #expect(
        copy(query([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])).0
          == errSecInteractionNotAllowed)
      #expect(!keychain.wasAsked())
    }

    @Test func `SecCopyLastFailure is added`() {
      #expect(SecCopyLastFailure() == nil)
      #expect(copy(query([:], account: "nobody")).0 == errSecItemNotFound)
      #expect(SecCopyLastFailure()?.status == errSecItemNotFound)
    }

    @Test func `An item that changed fingerprints ended stays listed`() throws {
      keychain.test.enrollment.enroll(.leftThumb)
      #expect(copy(query([:])).0 == errSecItemNotFound)
      #expect(try keychain.test.keychain.list().filter(\.isInvalidated).count == 1)
    }

    @Test func `Certificates and identities are errSecUnimplemented`() {
      for kind in [kSecClassCertificate, kSecClassIdentity] {
        #expect(SecItemAdd([kSecClass: kind] as CFDictionary, nil) == errSecUnimplemented)
      }
    }

    @Test func `Case-insensitive matches are errSecUnimplemented`() {
      #expect(copy(query([kSecMatchCaseInsensitive: true])).0 == errSecUnimplemented)
      #expect(copy(query([kSecMatchCaseInsensitive: false])).0 == errSecSuccess)
    }

    @Test func `Data is 1 MiB at most`() {
      let item = query([kSecValueData: Data(count: 1 << 20 + 1)], account: "big")
      #expect(SecItemAdd(item, nil) == errSecDataTooLarge)
    }

    @Test func `A string and the same bytes as data are one account`() {
      let item = query([kSecAttrAccount: Data("alice".utf8)], account: nil)
      #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
      #expect(copy(item).0 == errSecSuccess)
    }

    @Test func `kSecAttrAccessibleAlways and its sister are errSecParam`() {
      for kind in [kSecAttrAccessibleAlways, kSecAttrAccessibleAlwaysThisDeviceOnly] {
        #expect(SecItemAdd(query([kSecAttrAccessible: kind], account: "x"), nil) == errSecParam)
        #expect(SecAccessControlCreateWithFlags(nil, kind, [], nil) == nil)
      }
    }

    @Test func `Access groups are namespaces, no boundary`() {
      let theirs = query([kSecAttrAccessGroup: "theirs"], account: "x")
      #expect(SecItemAdd(theirs, nil) == errSecSuccess)
      #expect(copy(query([:], account: "x")).0 == errSecItemNotFound)
      #expect(copy(theirs).0 == errSecSuccess)
    }

    @Test func `A watch or companion is never there`() {
      #expect(control([.biometryAny, .or, .watch]) == control(.biometryAny))
      #expect(
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .watch, nil) == nil)
    }

    @Test func `Synchronizable items are kept and never synchronized`() {
      let item: [CFString: Any] = [kSecAttrSynchronizable: true]
      #expect(SecItemAdd(query(item, account: "sync"), nil) == errSecSuccess)
      #expect(copy(query(item, account: "sync")).0 == errSecSuccess)
    }

    @Test func `Classes are policy of the service`() {
      let item: [CFString: Any] = [
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecReturnData: true,
        kSecValueData: Data("s".utf8),
      ]
      #expect(SecItemAdd(query(item, account: "locked"), nil) == errSecSuccess)
      let read = query([kSecReturnData: true], account: "locked")
      keychain.test.host.isUnlocked = false
      #expect(copy(read).0 == errSecInteractionNotAllowed)
      keychain.test.host.isUnlocked = true
      #expect(copy(read).0 == errSecSuccess)
    }

    @Test func `biometryType is touchID or none`() {
      let context = LAContext()
      #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
      #expect(context.biometryType == .touchID)
      keychain.test.host.biometryObstacle = .noReader
      #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
      #expect(context.biometryType == .none)
    }

    @Test func `Policies with a companion fail with companionNotAvailable`() {
      var error: Foundation.NSError?
      let context = LAContext()
      #expect(!context.canEvaluatePolicy(.deviceOwnerAuthenticationWithWatch, error: &error))
      #expect(error?.code == LAError.Code.companionNotAvailable.rawValue)
      #expect(error?.domain == LAErrorDomain)
      #expect(
        context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometricsOrWatch, error: nil))
    }

    @Test func `What a context proved ends after 300 s`() throws {
      keychain.test.authenticator.then(.approve(), .approve())
      let context = LAContext()
      let read = query([kSecReturnData: true, kSecUseAuthenticationContext: context])
      #expect(copy(read).0 == errSecSuccess)
      keychain.test.host.uptime += 299 * 1_000_000_000
      #expect(copy(read).0 == errSecSuccess)
      #expect(keychain.test.authenticator.prompts.count == 1)
      keychain.test.host.uptime += 2 * 1_000_000_000
      #expect(copy(read).0 == errSecSuccess)
      #expect(keychain.test.authenticator.prompts.count == 2)
    }

    @Test func `A context's reuse counts what was proven to it`() {
      let context = LAContext()
      context.touchIDAuthenticationAllowableReuseDuration = 1000
      #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
    }

    @Test func `Titles of buttons are kept`() {
      let context = LAContext()
      context.localizedFallbackTitle = ""
      context.localizedCancelTitle = "No"
      #expect(context.localizedFallbackTitle == "" && context.localizedCancelTitle == "No")
    }

    private func makeKey(_ type: CFString, bits: Int = 256) -> SecKey? {
      let parameters: [CFString: Any] = [
        kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits, kSecAttrIsPermanent: true,
        kSecAttrAccessControl: control(.privateKeyUsage),
      ]
      return SecKeyCreateRandomKey(parameters as CFDictionary, nil)
    }

    @Test func `Keys are P-256, and Ed25519 as an extension`() {
      #expect(makeKey(kSecAttrKeyTypeEC) != nil && makeKey(kSecAttrKeyTypeEd25519) != nil)
      #expect(makeKey(kSecAttrKeyTypeRSA, bits: 2048) == nil)
      #expect(SecCopyLastFailure()?.status == errSecUnimplemented)
    }

    @Test func `A permanent key is made by the service and used there`() throws {
      let key = try #require(makeKey(kSecAttrKeyTypeEC))
      #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
      let open: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrIsPermanent: true]
      let other = try #require(SecKeyCreateRandomKey(open as CFDictionary, nil))
      #expect(SecKeyCopyExternalRepresentation(other, nil) != nil)
    }

    @Test func `The application label of a key is another hash`() throws {
      let key = try #require(makeKey(kSecAttrKeyTypeEC))
      let label = (SecKeyCopyAttributes(key) as? [String: Any])?["klbl"] as? Data
      #expect(label?.count == 20)
      let (_, found) = copy([kSecClass: kSecClassKey, kSecReturnAttributes: true] as CFDictionary)
      #expect((found as? [String: Any])?["klbl"] as? Data == label)
    }

    @Test func `A private key loses its privateKeyUsage by no update`() throws {
      _ = try #require(makeKey(kSecAttrKeyTypeEC))
      let change = [kSecAttrAccessControl: control([])] as CFDictionary
      #expect(SecItemUpdate([kSecClass: kSecClassKey] as CFDictionary, change) != errSecSuccess)
    }

    @Test func `SecItemAddReplacing is added`() {
      let new = query([kSecValueData: Data("new".utf8)])
      #expect(SecItemAddReplacing(query([kSecValueData: Data(count: 1 << 20 + 1)])) != 0)
      #expect(SecItemAddReplacing(new) == errSecSuccess)
      #expect(!keychain.wasAsked())
      // With the new access control, which is none.
      #expect(copy(query([kSecReturnData: true])).1 as? Data == Data("new".utf8))
      #expect(!keychain.wasAsked())
    }

    @Test func `SecAuthenticationContext is added`() throws {
      keychain.test.authenticator.then(.approve())
      let context = try AuthContext()
      let read = query([kSecReturnData: true, kSecUseAuthenticationContext: context])
      #expect(copy(read).0 == errSecSuccess)
      #expect(copy(read).0 == errSecSuccess)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `LAError isInvalidatedByEnrollmentChange is added`() async throws {
      let right = LARight(requirement: .biometryCurrentSet)
      keychain.test.enrollment.enroll(.leftThumb)
      let error = await #expect(throws: LAError.self) {
        try await right.authorize(localizedReason: "test")
      }
      #expect(error?.isInvalidatedByEnrollmentChange == true)
      #expect(!LAError(.authenticationFailed).isInvalidatedByEnrollmentChange)
    }

    @Test func `Rights are items of an access group of their own`() async throws {
      _ = try await LARightStore.shared.saveRight(LARight(), identifier: "a")
      let groups = try keychain.test.keychain.list().map(\.identity.group)
      #expect(groups.filter { $0 == Array("tests.rights".utf8) }.count == 2)
    }

    @Test func `The key of a right is P-256`() async throws {
      let right = try await LARightStore.shared.saveRight(LARight(), identifier: "a")
      #expect(try await right.key.publicKey.bytes.count == 65)
      let read: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrAccessGroup: "tests.rights", kSecReturnData: true,
      ]
      #expect(copy(read as CFDictionary).0 != errSecSuccess)
    }

    @Test func `every difference of the page has its test`() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let page = try String(
        contentsOf: root.deletingLastPathComponent().deletingLastPathComponent()
          .appendingPathComponent("Sources/Security/Security.docc/Migrating.md"), encoding: .utf8)
      let tests = try String(
        contentsOf: root.appendingPathComponent("DifferenceTests.swift"), encoding: .utf8)
      let names = page.matches(of: /- \*\*(.+?)\*\*/).map { match in
        String(match.1).replacingOccurrences(of: ".is", with: " is").filter {
          !"`.,()".contains($0)
        }
        .split(separator: " ").prefix(4).joined(separator: " ")
      }
      #expect(names.count > 15)
      for name in names where !name.hasPrefix("No NSFaceID") {
        #expect(tests.filter { !"`.,()".contains($0) }.contains(name), "\(name)")
      }
    }
  }
}
