import LocalAuthentication
import WhorlTesting

extension SecurityTests.FunctionTableTests {
  private static let store = LARightStore.shared
  private static let bytes = Data("secret".utf8)
  private static let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
  private static let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM

  /// A right that was saved and authorized.
  private static func authorized(_ keychain: InProcess) async throws -> LAPersistedRight {
    keychain.test.authenticator.then(.approve())
    let right = try await store.saveRight(LARight(), identifier: "a", secret: bytes)
    try await right.authorize(localizedReason: "test")
    return right
  }

  private static func using(
    _ function: String, _ call: String, _ shape: String,
    _ body: @escaping (LAPersistedRight) async throws -> Any?
  ) -> FunctionRow {
    FunctionRow(function, call, .init(0, shape)) { keychain in
      let right = try await authorized(keychain)
      return await FunctionRow.answer { try await body(right) }
    }
  }

  private static func act(
    _ function: String, _ call: String, _ code: Int, _ act: FakeAuthenticator.Act? = nil,
    _ body: @escaping () async throws -> Void
  ) -> FunctionRow {
    FunctionRow(function, call, .init(code)) { keychain in
      if let act { keychain.test.authenticator.then(act) }
      return await FunctionRow.answer {
        try await body()
        return nil
      }
    }
  }

  nonisolated(unsafe) static let rightRows: [FunctionRow] = [
    act("LARight.authorize", "approved", 0, .approve()) {
      try await LARight().authorize(localizedReason: "test")
    },
    act("LARight.authorize", "cancelled", -2, .cancel) {
      try await LARight().authorize(localizedReason: "test")
    },
    act("LARight.checkCanAuthorize", "what can be", 0) { try await LARight().checkCanAuthorize() },
    act("LARight.deauthorize", "what was not authorized", 0) { await LARight().deauthorize() },
    act("LAAuthenticationRequirement.biometry", "with a fallback", 0, .approve(.devicePasscode)) {
      try await LARight(requirement: .biometry(fallback: .devicePasscode))
        .authorize(localizedReason: "test")
    },
    act("LARightStore.saveRight", "a right", 0) {
      _ = try await store.saveRight(LARight(), identifier: "a")
    },
    using("LARightStore.right", "one that was saved", "LAPersistedRight") { _ in
      try await store.right(forIdentifier: "a")
    },
    act("LARightStore.right", "one that was not", -25300) {
      _ = try await store.right(forIdentifier: "a")
    },
    using("LARightStore.removeRight", "one that was saved", "nothing") { right in
      try await store.removeRight(right)
      return nil
    },
    act("LARightStore.removeAllRights", "none there", 0) { try await store.removeAllRights() },
    using("LASecret.loadData", "authorized", "data") { right in
      await withCheckedContinuation { (done: CheckedContinuation<Data?, Never>) in
        right.secret.loadData { data, _ in done.resume(returning: data) }
      }
    },
    act("LASecret.loadData", "not authorized", -1004) {
      _ = try await store.saveRight(LARight(), identifier: "b", secret: bytes).secret.rawData
    },
    using("LAPrivateKey.sign", "authorized", "data") {
      try await $0.key.sign(bytes, algorithm: signing)
    },
    act("LAPrivateKey.sign", "not authorized", -1004) {
      _ = try await store.saveRight(LARight(), identifier: "b")
        .key.sign(bytes, algorithm: signing)
    },
    using("LAPrivateKey.canSign", "ECDSA", "yes") { $0.key.canSign(using: signing) },
    using("LAPrivateKey.decrypt", "ECIES", "data") { right in
      let sealed = try await right.key.publicKey.encrypt(bytes, algorithm: ecies)
      return try await right.key.decrypt(sealed, algorithm: ecies)
    },
    using("LAPrivateKey.canDecrypt", "ECIES", "yes") { $0.key.canDecrypt(using: ecies) },
    using("LAPrivateKey.exchangeKeys", "ECDH", "data") { right in
      try await right.key.exchangeKeys(
        publicKey: try await right.key.publicKey.bytes, algorithm: .ecdhKeyExchangeStandard,
        parameters: [:])
    },
    using("LAPrivateKey.canExchangeKeys", "ECDH", "yes") {
      $0.key.canExchangeKeys(using: .ecdhKeyExchangeStandard)
    },
    using("LAPublicKey.exportBytes", "a key", "data") { right in
      await withCheckedContinuation { (done: CheckedContinuation<Data?, Never>) in
        right.key.publicKey.exportBytes { data, _ in done.resume(returning: data) }
      }
    },
    using("LAPublicKey.encrypt", "ECIES", "data") {
      try await $0.key.publicKey.encrypt(bytes, algorithm: ecies)
    },
    using("LAPublicKey.canEncrypt", "ECIES", "yes") { $0.key.publicKey.canEncrypt(using: ecies) },
    using("LAPublicKey.verify", "its signature", "nothing") { right in
      let signature = try await right.key.sign(bytes, algorithm: signing)
      try await right.key.publicKey.verify(bytes, signature: signature, algorithm: signing)
      return nil
    },
    FunctionRow("LAPublicKey.verify", "another one", .init(Int(errSecVerifyFailed))) { keychain in
      let right = try await authorized(keychain)
      return await FunctionRow.answer {
        try await right.key.publicKey.verify(bytes, signature: bytes, algorithm: signing)
        return nil
      }
    },
    using("LAPublicKey.canVerify", "ECDSA", "yes") { $0.key.publicKey.canVerify(using: signing) },
  ]
}
