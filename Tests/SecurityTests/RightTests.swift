import AppleRights5
import AppleRights6
import LocalAuthentication
import Testing
import WhorlTesting

extension SecurityTests {
  /// Rights: what is authorized opens, once, for this object, and nothing else does.
  @Suite struct RightTests {
    private let store = LARightStore.shared
    private let bytes = Data("secret".utf8)
    private let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

    private func code(_ body: () async throws -> Void) async -> LAError.Code? {
      do { try await body() } catch { return (error as? LAError)?.code }
      return nil
    }

    private func status(_ body: () async throws -> Void) async -> OSStatus? {
      do { try await body() } catch {
        let error = error as Foundation.NSError
        return error.domain == NSOSStatusErrorDomain ? OSStatus(error.code) : nil
      }
      return nil
    }

    @Test func `shapes of rights work in both modes`() async throws {
      let keychain = try InProcess(.approve(), .approve(), .cancel, .approve(.devicePasscode))
      #expect(await AppleRights5.saveRight("a", strict: false) == "saved")
      #expect(await AppleRights6.saveRight("a", strict: false) == "NSOSStatusErrorDomain -25299")
      #expect(await AppleRights6.openRight("a") == "secret of a")
      #expect(await AppleRights5.signWithRight("a") == "true")
      #expect(await AppleRights6.openRight("a") == "cancelled")
      #expect(await AppleRights5.openRight("a") == "secret of a")
      #expect(keychain.test.authenticator.prompts.count == 4)
      let removed = await withCheckedContinuation { done in
        AppleRights5.removeRight("a") { done.resume(returning: $0) }
      }
      #expect(removed == "removed")
      #expect(await AppleRights6.openRight("a") == "NSOSStatusErrorDomain -25300")
    }

    @Test func `an authorization opens secret and key by one act, and its end closes both`()
      async throws
    {
      let keychain = try InProcess(.approve())
      let right = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
      #expect(right.state == .unknown)
      #expect(await code { _ = try await right.secret.rawData } == .notInteractive)
      #expect(
        await code { _ = try await right.key.sign(bytes, algorithm: algorithm) } == .notInteractive)
      #expect(!keychain.wasAsked())
      try await right.authorize(localizedReason: "test")
      #expect(right.state == .authorized)
      #expect(try await right.secret.rawData == bytes)
      let signature = try await right.key.sign(bytes, algorithm: algorithm)
      try await right.key.publicKey.verify(bytes, signature: signature, algorithm: algorithm)
      #expect(keychain.test.authenticator.prompts.count == 1)
      await right.deauthorize()
      #expect(right.state == .notAuthorized)
      #expect(await code { _ = try await right.secret.rawData } == .notInteractive)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `an authorization serves no other object of the same right`() async throws {
      let keychain = try InProcess(.approve())
      let right = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
      try await right.authorize(localizedReason: "test")
      let other = try await store.right(forIdentifier: "a")
      #expect(other.state == .unknown)
      #expect(await code { _ = try await other.secret.rawData } == .notInteractive)
      withExtendedLifetime(keychain) {}
    }

    @Test func `an authorization ends after 300 s`() async throws {
      let keychain = try InProcess(.approve())
      let right = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
      try await right.authorize(localizedReason: "test")
      keychain.test.host.uptime += 301 * 1_000_000_000
      #expect(await code { _ = try await right.secret.rawData } == .notInteractive)
    }

    typealias Row = (LAAuthenticationRequirement, FakeAuthenticator.Act, LAError.Code?)

    @Test func `each requirement takes its factors and no other`() async throws {
      let rows: [Row] = [
        (.default, .approve(), nil), (.default, .approve(.devicePasscode), nil),
        (.biometry, .approve(), nil), (.biometry, .approve(.devicePasscode), .systemCancel),
        (.biometryCurrentSet, .approve(), nil),
        (.biometryCurrentSet, .approve(.devicePasscode), .systemCancel),
        (.biometry(fallback: .default), .approve(), nil),
        (.biometry(fallback: .devicePasscode), .approve(.devicePasscode), nil),
        (.default, .cancel, .userCancel), (.biometry, .lockout, .biometryLockout),
        (.biometryCurrentSet, .unavailable(.noReader), .biometryNotAvailable),
        (.biometry, .unavailable(.notEnrolled), .biometryNotEnrolled),
      ]
      for (requirement, act, expected) in rows {
        let keychain = try InProcess(act)
        for right in [
          LARight(requirement: requirement),
          try await store.saveRight(LARight(requirement: requirement), identifier: "a"),
        ] {
          let found = await code { try await right.authorize(localizedReason: "test") }
          #expect(found == expected, "\(requirement.flagsText) \(act)")
          #expect(right.state == (expected == nil ? .authorized : .notAuthorized))
          keychain.test.authenticator.then(act)
        }
      }
    }

    @Test func `a right of the current set dies with it, says so, and can be saved again`()
      async throws
    {
      let keychain = try InProcess()
      let plain = LARight(requirement: .biometryCurrentSet)
      let saved = try await store.saveRight(plain, identifier: "a", secret: bytes)
      try await saved.checkCanAuthorize()
      keychain.test.enrollment.enroll(.leftThumb)
      for right in [plain, saved, try await store.right(forIdentifier: "a")] {
        for body in [
          { @Sendable in try await right.checkCanAuthorize() },
          { @Sendable in try await right.authorize(localizedReason: "test") },
        ] {
          do {
            try await body()
            Issue.record("authorized")
          } catch let error as LAError {
            #expect(error.isInvalidatedByEnrollmentChange && error.code == .authenticationFailed)
          }
        }
      }
      #expect(!keychain.wasAsked())
      keychain.test.authenticator.then(.approve())
      let again = try await store.saveRight(
        LARight(requirement: .biometryCurrentSet), identifier: "a", secret: Data("n".utf8))
      try await again.authorize(localizedReason: "test")
      #expect(try await again.secret.rawData == Data("n".utf8))
    }

    @Test func `a right that needs prints where none are enrolled is not saved`() async throws {
      let keychain = try InProcess()
      keychain.test.enrollment.delete(.rightIndex)
      let right = LARight(requirement: .biometryCurrentSet)
      #expect(
        await code { _ = try await store.saveRight(right, identifier: "a") } == .biometryNotEnrolled
      )
      #expect(await status { _ = try await store.right(forIdentifier: "a") } == errSecItemNotFound)
    }

    @Test func `a right without a secret has none`() async throws {
      let keychain = try InProcess(.approve())
      let right = try await store.saveRight(LARight(), identifier: "a")
      try await right.authorize(localizedReason: "test")
      #expect(await status { _ = try await right.secret.rawData } == errSecItemNotFound)
      withExtendedLifetime(keychain) {}
    }

    @Test func `what was never saved or was removed is not found`() async throws {
      let keychain = try InProcess()
      #expect(await status { _ = try await store.right(forIdentifier: "a") } == errSecItemNotFound)
      #expect(
        await status { try await store.removeRight(forIdentifier: "a") } == errSecItemNotFound)
      let right = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
      try await store.removeRight(right)
      #expect(
        await status { try await right.authorize(localizedReason: "t") } == errSecItemNotFound)
      #expect(await status { _ = try await right.secret.rawData } == errSecItemNotFound)
      #expect(await status { _ = try await store.right(forIdentifier: "a") } == errSecItemNotFound)
      _ = try await store.saveRight(LARight(), identifier: "b")
      _ = try await store.saveRight(LARight(), identifier: "c")
      try await store.removeAllRights()
      try await store.removeAllRights()
      #expect(try keychain.test.keychain.list().isEmpty)
    }

    @Test func `no query of the program's items finds or deletes a right`() async throws {
      let keychain = try InProcess()
      _ = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
      for kind in [kSecClassGenericPassword, kSecClassKey] {
        #expect(copy([kSecClass: kind] as CFDictionary).0 == errSecItemNotFound)
        #expect(SecItemDelete([kSecClass: kind] as CFDictionary) == errSecItemNotFound)
      }
      _ = try await store.right(forIdentifier: "a")
      withExtendedLifetime(keychain) {}
    }

    @Test func `the key of a right encrypts, decrypts and agrees`() async throws {
      let keychain = try InProcess(.approve())
      let right = try await store.saveRight(LARight(), identifier: "a")
      let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
      let exchange = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
      #expect(right.key.publicKey.canEncrypt(using: ecies) && right.key.canDecrypt(using: ecies))
      #expect(
        right.key.canSign(using: algorithm) && right.key.publicKey.canVerify(using: algorithm))
      #expect(right.key.canExchangeKeys(using: exchange) && !right.key.canSign(using: exchange))
      let sealed = try await right.key.publicKey.encrypt(bytes, algorithm: ecies)
      #expect(
        await code { _ = try await right.key.decrypt(sealed, algorithm: ecies) } == .notInteractive)
      try await right.authorize(localizedReason: "test")
      #expect(try await right.key.decrypt(sealed, algorithm: ecies) == bytes)
      let point = try await right.key.publicKey.bytes
      let parameters: [AnyHashable: Any] = [
        SecKeyKeyExchangeParameter.requestedSize.rawValue: 48,
        SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data([1]),
      ]
      let shared = try await right.key.exchangeKeys(
        publicKey: point, algorithm: exchange, parameters: parameters)
      #expect(shared.count == 48)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `forms with a completion answer as the others do`() async throws {
      let keychain = try InProcess(.approve())
      let saved: LAPersistedRight? = await withCheckedContinuation { done in
        store.saveRight(LARight(), identifier: "a", secret: bytes) { right, error in
          #expect(error == nil)
          done.resume(returning: right)
        }
      }
      let right = try #require(saved)
      let failure: (any Error)? = await withCheckedContinuation { done in
        right.authorize(localizedReason: "") { done.resume(returning: $0) }
      }
      #expect((failure as? LAError)?.code == .notInteractive)
      let none: (any Error)? = await withCheckedContinuation { done in
        right.authorize(localizedReason: "test") { done.resume(returning: $0) }
      }
      #expect(none == nil)
      let data: Data? = await withCheckedContinuation { done in
        right.secret.loadData { data, _ in done.resume(returning: data) }
      }
      #expect(data == bytes)
      await withCheckedContinuation { done in right.deauthorize { done.resume() } }
      #expect(right.state == .notAuthorized)
      withExtendedLifetime(keychain) {}
    }
  }
}

extension LAAuthenticationRequirement {
  fileprivate var flagsText: String {
    isEqual(LAAuthenticationRequirement.default) ? "default" : "\(hash)"
  }
}
