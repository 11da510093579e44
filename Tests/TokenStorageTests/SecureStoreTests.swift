import Foundation
import Security
import Testing
import TokenExample
import TokenStorage
import WhorlKit
import WhorlTesting

extension TokenStorageTests {
  /// One contract for every store; `LiveTests` runs it against the daemon.
  @Suite struct SecureStoreTests {
    @Test(arguments: StoreContract.rules.map(\.name))
    func `every store keeps the contract`(name: String) throws {
      let keychain = try makeKeychain()
      let rule = try #require(StoreContract.rules.first { $0.name == name })
      let stores: [any SecureStore] = [
        InMemorySecureStore(), CountingSecureStore(), FailingSecureStore([]),
        KeychainStore(service: "a"), KeychainStore(service: "b", flags: []),
      ]
      for store in stores {
        do { try rule.run(store) } catch { Issue.record("\(type(of: store)): \(error)") }
      }
      #expect(keychain.authenticator.prompts.isEmpty)
    }

    @Test(arguments: StoreContract.rules.map(\.name))
    func `a keychain whose items are kept outside keeps the contract`(name: String) throws {
      let keychain = try TestKeychain(
        authenticator: FakeAuthenticator(), defaultStore: .secretService)
      Keychain.shared = keychain.keychain
      let rule = try #require(StoreContract.rules.first { $0.name == name })
      do { try rule.run(KeychainStore(service: "a")) } catch { Issue.record("\(error)") }
      // What is left in the keychain is what is left outside.
      let rows = try keychain.keychain.list()
      #expect(rows.count == keychain.outside.items.count)
      #expect(rows.allSatisfy { $0.store == .secretService && $0.isPlaced })
    }

    @Test func `the store of secrets throws, and the plain one does not`() throws {
      let secure = try TokenStorageTests.source("Stores/SecureStore.swift")
      let plain = try TokenStorageTests.source("Stores/KeyValueStore.swift")
      let functions = { (text: String) in
        text.split(separator: "\n").filter { $0.contains("func ") }
      }
      #expect(functions(secure).count == 6)
      #expect(functions(secure).allSatisfy { $0.contains(" throws") })
      #expect(functions(plain).count > 3)
      #expect(!functions(plain).contains { $0.contains(" throws") })
      let names = { (text: String) in
        Set(text.matches(of: /func (\w+)/).map { String($0.1) }).subtracting(["removeAll"])
      }
      #expect(names(secure).isDisjoint(with: names(plain)))
    }

    @Test func `plain stores keep their contract`() throws {
      for rule in PlainContract.rules {
        #expect(rule.run(InMemoryKeyValueStore(), InMemoryKeyValueStore()), "\(rule.name)")
      }
      let source = try TokenStorageTests.source("Stores/UserDefaultsStore.swift")
      #expect(source.contains(/@unchecked Sendable \{\n  \/\/ Unchecked: UserDefaults guards/))
    }

    @Test func `stores of other services are apart`() throws {
      let keychain = try makeKeychain()
      let (first, second) = (KeychainStore(service: "a"), KeychainStore(service: "b"))
      try first.save(Data([1]), for: "k")
      try second.save(Data([2]), for: "k")
      try first.removeAll()
      #expect(try first.keys() == [] && second.data(for: "k") == Data([2]))
      withExtendedLifetime(keychain) {}
    }

    @Test func `an item is readable after the first unlock, on this device only, unless told`()
      throws
    {
      let keychain = try makeKeychain()
      let expected: [KeychainProtection: String] = [
        .afterFirstUnlockThisDeviceOnly: "cku", .afterFirstUnlock: "ck",
        .whenUnlockedThisDeviceOnly: "aku", .whenUnlocked: "ak",
        .whenPasscodeSetThisDeviceOnly: "akpu",
      ]
      let store = KeychainStore(service: "default")
      try store.save(Data(), for: "k")
      #expect(try keychain.keychain.list().map(\.accessControl.accessibility.rawValue) == ["cku"])
      for protection in KeychainProtection.allCases {
        try KeychainStore(service: "default", protection: protection).save(Data(), for: "k")
        let found = try keychain.keychain.list().map(\.accessControl.accessibility.rawValue)
        #expect(found == [expected[protection]!])
      }
    }

    @Test func `a save of a gated item never asks, and a read does`() throws {
      let keychain = try makeKeychain(.approve(), .cancel)
      let store = KeychainStore(service: "s", flags: .userPresence, reason: "to show it")
      try store.save(Data("one".utf8), for: "a")
      try store.save(Data("two".utf8), for: "a")
      #expect(keychain.authenticator.prompts.isEmpty)
      #expect(try store.keys() == ["a"])
      #expect(keychain.authenticator.prompts.isEmpty)
      #expect(try store.data(for: "a") == Data("two".utf8))
      #expect(keychain.authenticator.prompts.first?.reason == Array("to show it".utf8))
      #expect(throws: KeychainError.read(errSecUserCanceled)) { _ = try store.data(for: "a") }
      try store.remove("a")
      #expect(try store.data(for: "a") == nil)
      #expect(keychain.authenticator.prompts.count == 2)
    }

    @Test func `a save with a stricter access takes effect, and so does one with none`() throws {
      let keychain = try makeKeychain(.approve())
      let open = KeychainStore(service: "s")
      let gated = KeychainStore(service: "s", flags: .userPresence)
      try open.save(Data("one".utf8), for: "a")
      try gated.save(Data("two".utf8), for: "a")
      #expect(try open.data(for: "a") == Data("two".utf8))
      #expect(keychain.authenticator.prompts.count == 1)
      try open.save(Data("three".utf8), for: "a")
      #expect(try gated.data(for: "a") == Data("three".utf8))
      #expect(keychain.authenticator.prompts.count == 1)
      let locked = KeychainStore(service: "s", protection: .whenUnlockedThisDeviceOnly)
      try locked.save(Data("four".utf8), for: "a")
      keychain.host.isUnlocked = false
      #expect(throws: KeychainError.read(errSecInteractionNotAllowed)) {
        _ = try open.data(for: "a")
      }
    }

    @Test func `a failed save leaves the old value readable`() throws {
      let keychain = try makeKeychain()
      let store = KeychainStore(service: "s")
      try store.save(Data("old".utf8), for: "a")
      #expect(throws: KeychainError.save(errSecDataTooLarge)) {
        try store.save(Data(count: 1 << 20 + 1), for: "a")
      }
      #expect(throws: KeychainError.save(errSecParam)) {
        try KeychainStore(service: "s", flags: [.or, .and, .biometryAny]).save(Data(), for: "a")
      }
      keychain.enrollment.delete(.rightIndex)
      #expect(throws: KeychainError.save(errSecAuthFailed)) {
        try KeychainStore(service: "s", flags: .biometryCurrentSet).save(Data(), for: "a")
      }
      #expect(try store.data(for: "a") == Data("old".utf8))
    }

    @Test func `an item that new fingers ended is nil, and can be saved and removed`() throws {
      let keychain = try makeKeychain(.approve())
      let store = KeychainStore(service: "s", flags: .biometryCurrentSet)
      try store.save(Data("one".utf8), for: "a")
      try store.save(Data("one".utf8), for: "b")
      keychain.enrollment.enroll(.leftThumb)
      #expect(try store.data(for: "a") == nil)
      try store.save(Data("two".utf8), for: "a")
      #expect(try store.data(for: "a") == Data("two".utf8))
      try store.removeAll()
      #expect(try keychain.keychain.list().isEmpty)
    }

    @Test func `removing all leaves nothing in the group`() throws {
      let keychain = try makeKeychain()
      for flags in [nil, .userPresence, .biometryCurrentSet] as [SecAccessControlCreateFlags?] {
        let store = KeychainStore(service: "s", flags: flags)
        for key in ["a", "b"] { try store.save(Data(key.utf8), for: "\(key) \(flags == nil)") }
      }
      #expect(try keychain.keychain.list().count == 4)
      try KeychainStore(service: "s").removeAll()
      #expect(try keychain.keychain.list().isEmpty)
      #expect(keychain.authenticator.prompts.isEmpty)
    }

    @Test func `two programs that make a symmetric key at once get the same one`() throws {
      let store = RacingStore()
      #expect(try SymmetricKeyStore(store).key() == store.theirs)
    }

    @Test func `an identifier is made once, kept in the plain store, and reset`() {
      let store = InMemoryKeyValueStore()
      let cart = IdentifierStore(store)
      let first = cart.identifier()
      #expect(UUID(uuidString: first) != nil && cart.identifier() == first)
      #expect(store.text(for: "cartID") == first)
      cart.reset()
      #expect(cart.identifier() != first)
      store.removeAll()
      #expect(store.text(for: "cartID") == nil)
    }
  }
}

/// Another program stores its key between a look and an insert.
private final class RacingStore: SecureStore {
  let theirs = Data(repeating: 7, count: 32)
  private let store = InMemorySecureStore()

  func data(for key: String) -> Data? { store.data(for: key) }
  func save(_ data: Data, for key: String) { store.save(data, for: key) }
  func insert(_ data: Data, for key: String) -> Bool {
    store.save(theirs, for: key)
    return store.insert(data, for: key)
  }
  func remove(_ key: String) { store.remove(key) }
  func removeAll() { store.removeAll() }
  func keys() -> [String] { store.keys() }
}
