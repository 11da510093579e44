import Security
import Testing
import WhorlTesting

// Every suite that puts another keychain in place of the shared one is within this one.
@Suite(.serialized) struct SecurityTests {}

extension SecurityTests {
  /// Status and shape of every function, beside what Apple documents.
  @Suite struct ItemTests {
    let keychain: InProcess

    init() throws { keychain = try InProcess() }

    private func add(_ extra: [CFString: Any] = [:], account: String = "alice") -> OSStatus {
      SecItemAdd(
        query([kSecValueData: Data("secret".utf8)].merging(extra) { $1 }, account: account), nil)
    }

    @Test func `an item comes back as the data that was stored`() {
      #expect(add() == errSecSuccess)
      let (status, result) = copy(query([kSecReturnData: true]))
      #expect(status == errSecSuccess)
      #expect(result as? Data == Data("secret".utf8))
    }

    @Test func `a second item of the same primary attributes is a duplicate, whatever its access`()
    {
      #expect(add() == errSecSuccess)
      #expect(add() == errSecDuplicateItem)
      #expect(add([kSecAttrAccessControl: control(.userPresence)]) == errSecDuplicateItem)
      #expect(add([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecDuplicateItem)
      #expect(add([kSecAttrLabel: "other"]) == errSecDuplicateItem)
      #expect(add(account: "bob") == errSecSuccess)
    }

    @Test func `what is not there is not found`() {
      #expect(copy(query([kSecReturnData: true])).0 == errSecItemNotFound)
      #expect(SecItemUpdate(query([:]), [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound)
      #expect(SecItemDelete(query([:])) == errSecItemNotFound)
    }

    @Test func `the shape of a result is what was asked for`() throws {
      #expect(add([kSecAttrLabel: "l", kSecAttrGeneric: Data([1, 0, 255])]) == errSecSuccess)
      #expect(add(account: "bob") == errSecSuccess)
      // Nothing asked for: the status alone.
      let (status, nothing) = copy(query([:]))
      #expect(status == errSecSuccess && nothing == nil)
      let (_, reference) = copy(query([kSecReturnPersistentRef: true]))
      #expect(reference is Data)
      let (_, attributes) = copy(query([kSecReturnAttributes: true]))
      let dictionary = try #require(attributes as? [String: Any])
      #expect(dictionary[kSecAttrAccount as String] as? String == "alice")
      #expect(dictionary[kSecAttrService as String] as? String == "mail")
      #expect(dictionary[kSecAttrLabel as String] as? String == "l")
      #expect(dictionary[kSecAttrGeneric as String] as? Data == Data([1, 0, 255]))
      #expect(dictionary[kSecAttrAccessible as String] as? String == "ak")
      #expect(dictionary[kSecAttrAccessGroup as String] as? String == "tests")
      #expect(dictionary[kSecAttrSynchronizable as String] as? Bool == false)
      #expect(dictionary[kSecClass as String] as? String == "genp")
      #expect(dictionary[kSecAttrCreationDate as String] is Date)
      #expect(dictionary[kSecAttrModificationDate as String] is Date)
      #expect(dictionary[kSecAttrAccessControl as String] is SecAccessControl)
      #expect(dictionary[kSecValueData as String] == nil)
      #expect(!dictionary.keys.contains { $0.hasPrefix("whorl") })
      let (_, both) = copy(query([kSecReturnAttributes: true, kSecReturnData: true]))
      #expect((both as? [String: Any])?[kSecValueData as String] as? Data == Data("secret".utf8))
      let (_, all) = copy(
        query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll], account: nil))
      #expect((all as? [Data])?.count == 2)
      let (_, one) = copy(
        query([kSecReturnData: true, kSecMatchLimit: 1 as NSNumber], account: nil))
      #expect((one as? [Data])?.count == 1)
      let (_, some) = copy(
        query(
          [
            kSecReturnAttributes: true, kSecReturnPersistentRef: true,
            kSecMatchLimit: kSecMatchLimitAll,
          ],
          account: nil))
      #expect((some as? [[String: Any]])?.allSatisfy { $0["v_PersistentRef"] is Data } == true)
    }

    @Test func `an account given as data comes back as data, and is the same account`() {
      let data = query([kSecAttrAccount: Data("alice".utf8), kSecValueData: Data()], account: nil)
      #expect(SecItemAdd(data, nil) == errSecSuccess)
      #expect(add() == errSecDuplicateItem)
      let (_, result) = copy(query([kSecReturnAttributes: true]))
      #expect((result as? [String: Any])?["acct"] as? Data == Data("alice".utf8))
    }

    @Test func `an item without data has empty data`() {
      #expect(SecItemAdd(query([:]), nil) == errSecSuccess)
      #expect(copy(query([kSecReturnData: true])).1 as? Data == Data())
    }

    @Test(arguments: [0, 1, 64 * 1024, 1024 * 1024])
    func `data of any size up to 1 MiB comes back`(count: Int) {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      #expect(SecItemAdd(query([kSecValueData: data]), nil) == errSecSuccess)
      #expect(copy(query([kSecReturnData: true])).1 as? Data == data)
    }

    @Test func `more than 1 MiB is too large and stores nothing`() {
      let data = Data(count: 1024 * 1024 + 1)
      #expect(SecItemAdd(query([kSecValueData: data]), nil) == errSecDataTooLarge)
      #expect(copy(query([:])).0 == errSecItemNotFound)
    }

    @Test func `an update changes what it names and nothing else`() {
      #expect(add([kSecAttrLabel: "l"]) == errSecSuccess)
      let new: [CFString: Any] = [kSecValueData: Data("new".utf8), kSecAttrComment: "c"]
      #expect(SecItemUpdate(query([:]), new as CFDictionary) == errSecSuccess)
      let (_, result) = copy(query([kSecReturnAttributes: true, kSecReturnData: true]))
      let dictionary = result as? [String: Any]
      #expect(dictionary?["v_Data"] as? Data == Data("new".utf8))
      #expect(dictionary?["labl"] as? String == "l")
      #expect(dictionary?["icmt"] as? String == "c")
    }

    @Test func `an update of a primary attribute renames, unless the name is taken`() {
      #expect(add() == errSecSuccess)
      #expect(add(account: "bob") == errSecSuccess)
      let rename = [kSecAttrAccount: "bob"] as CFDictionary
      #expect(SecItemUpdate(query([:]), rename) == errSecDuplicateItem)
      #expect(SecItemUpdate(query([:]), [kSecAttrAccount: "eve"] as CFDictionary) == errSecSuccess)
      #expect(copy(query([:])).0 == errSecItemNotFound)
      #expect(copy(query([kSecReturnData: true], account: "eve")).1 as? Data == Data("secret".utf8))
    }

    @Test func `update and delete take all that match, a copy the first`() {
      for account in ["a", "b", "c"] { #expect(add(account: account) == errSecSuccess) }
      #expect(SecItemUpdate(query([:], account: nil), [kSecAttrLabel: "x"] as CFDictionary) == 0)
      let labelled = query(
        [kSecAttrLabel: "x", kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll], account: nil)
      #expect((copy(labelled).1 as? [Data])?.count == 3)
      #expect(copy(query([kSecReturnData: true], account: nil)).1 is Data)
      #expect(SecItemDelete(query([kSecMatchLimit: kSecMatchLimitOne], account: nil)) == 0)
      #expect((copy(labelled).1 as? [Data])?.count == 2)
      #expect(SecItemDelete(query([:], account: nil)) == errSecSuccess)
      #expect(copy(labelled).0 == errSecItemNotFound)
    }

    @Test func `the accessibility can be matched and changed`() {
      #expect(add() == errSecSuccess)
      let first = query([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
      #expect(copy(first).0 == errSecItemNotFound)
      let change = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary
      #expect(SecItemUpdate(query([:]), change) == errSecSuccess)
      #expect(copy(first).0 == errSecSuccess)
    }

    @Test func `synchronizable items are others, and found only when asked for`() {
      #expect(add([kSecAttrSynchronizable: true]) == errSecSuccess)
      #expect(add() == errSecSuccess)
      let count = { (value: Any) in
        (copy(
          query([
            kSecAttrSynchronizable: value, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
          ])
        ).1
          as? [Data])?.count
      }
      #expect(count(kSecAttrSynchronizableAny) == 2)
      #expect(count(true) == 1)
      #expect(count(false) == 1)
    }

    @Test func `a persistent reference outlives an update and ends with the item`() throws {
      var reference: AnyObject?
      #expect(
        SecItemAdd(
          query([kSecValueData: Data("s".utf8), kSecReturnPersistentRef: true]), &reference) == 0)
      let byReference = { (extra: [CFString: Any]) in
        [kSecValuePersistentRef: reference!].merging(extra) { $1 } as CFDictionary
      }
      #expect(copy(byReference([kSecReturnData: true])).1 as? Data == Data("s".utf8))
      #expect(SecItemUpdate(byReference([:]), [kSecAttrAccount: "eve"] as CFDictionary) == 0)
      #expect(copy(byReference([kSecReturnData: true])).1 as? Data == Data("s".utf8))
      #expect(SecItemDelete(byReference([:])) == errSecSuccess)
      #expect(copy(byReference([kSecReturnData: true])).0 == errSecItemNotFound)
    }

    @Test func `an internet password is known by all its primary attributes`() {
      let base: [CFString: Any] = [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org",
        kSecAttrAccount: "alice",
        kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPort: 443, kSecAttrPath: "/",
        kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic,
      ]
      #expect(SecItemAdd(base as CFDictionary, nil) == errSecSuccess)
      #expect(SecItemAdd(base as CFDictionary, nil) == errSecDuplicateItem)
      for (key, value) in [
        (kSecAttrPort, 8443), (kSecAttrPath, "/x"), (kSecAttrProtocol, kSecAttrProtocolHTTP),
        (kSecAttrServer, "example.net"), (kSecAttrSecurityDomain, "d"),
      ] as [(CFString, Any)] {
        #expect(SecItemAdd(base.merging([key: value]) { $1 } as CFDictionary, nil) == errSecSuccess)
      }
      let (_, result) = copy(base.merging([kSecReturnAttributes: true]) { $1 } as CFDictionary)
      let dictionary = result as? [String: Any]
      #expect(dictionary?["ptcl"] as? String == "htps")
      #expect(dictionary?["port"] as? Int == 443)
    }

    @Test func `reset on first launch leaves the items of other programs alone`() throws {
      #expect(add() == errSecSuccess)
      #expect(add([kSecAttrAccessGroup: "other.program"], account: "theirs") == errSecSuccess)
      let wipe = [kSecClass: kSecClassGenericPassword] as CFDictionary
      #expect(SecItemDelete(wipe) == errSecSuccess)
      #expect(copy(query([:])).0 == errSecItemNotFound)
      #expect(
        copy(query([kSecAttrAccessGroup: "other.program"], account: "theirs")).0 == errSecSuccess)
    }
  }
}
