import Foundation
import Security
import Testing
import TokenStorage
import WhorlTesting

extension TokenStorageTests {
  @Suite struct KeychainHelperTests {
    private let data = Data("one".utf8)

    @Test func `save, read and delete by account and service`() throws {
      let keychain = try makeKeychain()
      try KeychainHelper.save(data, service: "mail", account: "alice")
      try KeychainHelper.save(Data("two".utf8), service: "mail", account: "bob")
      try KeychainHelper.save(Data("new".utf8), service: "mail", account: "alice")
      #expect(try KeychainHelper.read(service: "mail", account: "alice") == Data("new".utf8))
      #expect(try KeychainHelper.read(service: "mail", account: "bob") == Data("two".utf8))
      try KeychainHelper.delete(service: "mail", account: "alice")
      #expect(try keychain.keychain.list().count == 1)
    }

    @Test func `reading what is not there throws, deleting it does not`() throws {
      let keychain = try makeKeychain()
      #expect(throws: KeychainError.read(errSecItemNotFound)) {
        _ = try KeychainHelper.read(service: "mail", account: "nobody")
      }
      try KeychainHelper.delete(service: "mail", account: "nobody")
      withExtendedLifetime(keychain) {}
    }

    @Test func `an error carries its operation and status`() throws {
      let keychain = try makeKeychain()
      try KeychainHelper.save(data, service: "mail", account: "alice")
      keychain.host.isUnlocked = false
      keychain.host.wasUnlockedSinceBoot = false
      #expect(throws: KeychainError.read(errSecInteractionNotAllowed)) {
        _ = try KeychainHelper.read(service: "mail", account: "alice")
      }
      #expect(throws: KeychainError.save(errSecDataTooLarge)) {
        try KeychainHelper.save(Data(count: 1 << 20 + 1), service: "mail", account: "big")
      }
      for (error, operation, status) in [
        (.save(-34), .save, -34), (.update(-25308), .update, -25308), (.read(-50), .read, -50),
        (.delete(-36), .delete, -36), (.unreadableData, .read, errSecDecode),
        (.unavailable, nil, errSecNotAvailable),
      ] as [(KeychainError, KeychainError.Operation?, OSStatus)] {
        #expect(error.operation == operation && error.status == status)
      }
    }

    @Test func `an update of what is there fails as an update`() throws {
      let keychain = try makeKeychain(.cancel)
      let store = KeychainStore(service: "mail", flags: .userPresence)
      try store.save(data, for: "alice")
      #expect(throws: KeychainError.update(errSecUserCanceled)) {
        try KeychainHelper.save(data, service: "mail", account: "alice")
      }
      withExtendedLifetime(keychain) {}
    }

    @Test func `without a service the error is one of its own`() {
      removeKeychain()
      for body in [
        { try KeychainHelper.save(data, service: "mail", account: "alice") },
        { _ = try KeychainHelper.read(service: "mail", account: "alice") },
        { try KeychainHelper.delete(service: "mail", account: "alice") },
        { try KeychainStore(service: "mail").save(data, for: "alice") },
        { _ = try KeychainStore(service: "mail").data(for: "alice") },
        { _ = try KeychainStore(service: "mail").keys() },
        { try KeychainStore(service: "mail").removeAll() },
      ] as [() throws -> Void] {
        #expect(throws: KeychainError.unavailable) { try body() }
      }
    }

    @Test func `what an error says is seen through any Error`() {
      let errors: [any Error] = [
        KeychainError.save(errSecDiskFull), KeychainError.update(-25308),
        KeychainError.read(-25300),
        KeychainError.delete(-50), KeychainError.unreadableData, KeychainError.unavailable,
        BiometricSignInError.biometricsUnavailable, TokenStoreError.timedOut,
      ]
      for error in errors {
        #expect(error.localizedDescription.hasSuffix("."), "\(error.localizedDescription)")
        #expect(!error.localizedDescription.contains("TokenStorage"))
      }
      #expect(Set(errors.map(\.localizedDescription)).count == errors.count)
    }
  }
}
