import Foundation
import Security
import Testing
import TokenStorage

extension TokenStorageTests {
  @Suite struct FakeTests {
    @Test func `a seeded store is signed in by one line`() async {
      let session = TokenStore(InMemorySecureStore.signedIn(access: "t", refresh: "r"))
      #expect(await session.currentToken() == "t")
      #expect(InMemorySecureStore(["k": Data([1])]).data(for: "k") == Data([1]))
    }

    @Test func `a counting store counts`() throws {
      let store = CountingSecureStore()
      _ = try store.data(for: "a")
      try store.save(Data(), for: "a")
      _ = try store.insert(Data(), for: "a")
      try store.remove("a")
      try store.removeAll()
      #expect(store.reads == 1 && store.writes == 2 && store.removals == 2)
    }

    @Test func `a failing store fails what it is told to`() throws {
      let store = FailingSecureStore(.all, status: errSecDiskFull)
      #expect(throws: KeychainError.read(errSecDiskFull)) { _ = try store.data(for: "a") }
      #expect(throws: KeychainError.read(errSecDiskFull)) { _ = try store.keys() }
      #expect(throws: KeychainError.save(errSecDiskFull)) { try store.save(Data(), for: "a") }
      #expect(throws: KeychainError.save(errSecDiskFull)) { _ = try store.insert(Data(), for: "a") }
      #expect(throws: KeychainError.delete(errSecDiskFull)) { try store.remove("a") }
      #expect(throws: KeychainError.delete(errSecDiskFull)) { try store.removeAll() }
      store.failing = .writes
      #expect(try store.data(for: "a") == nil)
    }

    @Test func `one line takes the store in memory where there is no keychain`() throws {
      removeKeychain()
      let isPreview = ProcessInfo.processInfo.environment["NO_PREVIEW"] == nil
      let store: any SecureStore = isPreview ? InMemorySecureStore() : KeychainStore(service: "s")
      try store.save(Data([1]), for: "a")
      #expect(try store.data(for: "a") == Data([1]))
    }
  }
}
