import LocalAuthentication
import Security
import Testing
import WhorlTesting

extension SecurityTests {
  /// Keys: those of the process, and those that never leave the service.
  @Suite struct KeyTests {
    let keychain: InProcess
    private let message = Data("message".utf8) as CFData

    init() throws { keychain = try InProcess() }

    private func make(
      _ type: CFString = kSecAttrKeyTypeECSECPrimeRandom,
      _ flags: SecAccessControlCreateFlags = [.privateKeyUsage], permanent: Bool = true
    ) -> SecKey? {
      var own: [CFString: Any] = [
        kSecAttrIsPermanent: permanent, kSecAttrApplicationTag: Data("tag".utf8),
      ]
      if permanent { own[kSecAttrAccessControl] = control(flags) }
      let parameters: [CFString: Any] = [
        kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: own,
      ]
      var error: Unmanaged<CFError>?
      return SecKeyCreateRandomKey(parameters as CFDictionary, &error)
    }

    private func signs(_ key: SecKey, _ algorithm: SecKeyAlgorithm) throws {
      var error: Unmanaged<CFError>?
      let signature = try #require(SecKeyCreateSignature(key, algorithm, message, &error))
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, &error))
      let other = Data("other".utf8) as CFData
      #expect(!SecKeyVerifySignature(publicKey, algorithm, other, signature, &error))
      #expect(error?.takeRetainedValue().code == Int(errSecVerifyFailed))
    }

    @Test func `keys of both kinds and places sign`() throws {
      for permanent in [true, false] {
        try signs(try #require(make(permanent: permanent)), .ecdsaSignatureMessageX962SHA256)
        try signs(
          try #require(make(kSecAttrKeyTypeEd25519, permanent: permanent)),
          .eddsaSignatureMessageCurve25519SHA512)
      }
    }

    @Test func `a gated key asks for each use, and not to be made`() throws {
      keychain.test.authenticator.then(.approve(), .cancel)
      let key = try #require(make(kSecAttrKeyTypeEC, [.privateKeyUsage, .biometryCurrentSet]))
      #expect(!keychain.wasAsked())
      try signs(key, .ecdsaSignatureMessageX962SHA256)
      #expect(keychain.wasAsked())
      var error: Unmanaged<CFError>?
      #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
      #expect(error?.takeRetainedValue().code == Int(errSecUserCanceled))
      keychain.test.enrollment.enroll(.leftThumb)
      #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil) == nil)
      #expect(SecCopyLastFailure()?.isInvalidatedByEnrollmentChange == true)
    }

    @Test func `a key with privateKeyUsage never leaves the service`() throws {
      let key = try #require(make())
      var error: Unmanaged<CFError>?
      #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
      #expect(error?.takeRetainedValue().code == Int(errSecUnimplemented))
      let query = [kSecClass: kSecClassKey, kSecReturnData: true] as CFDictionary
      #expect(copy(query).0 != errSecSuccess)
      // Nor after an update that would let it.
      let change = [kSecAttrAccessControl: control([])] as CFDictionary
      #expect(SecItemUpdate([kSecClass: kSecClassKey] as CFDictionary, change) != errSecSuccess)
      #expect(copy(query).0 != errSecSuccess)
    }

    @Test func `a permanent key is found again by its tag, and deleted by itself`() throws {
      let key = try #require(make())
      let find: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8), kSecReturnRef: true,
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
      ]
      let found = copy(find as CFDictionary).1 as! SecKey
      #expect(found.isEqual(key))
      try signs(found, .ecdsaSignatureMessageX962SHA384)
      #expect(CFGetTypeID(found) == SecKeyGetTypeID())
      #expect(SecItemDelete([kSecValueRef: found] as CFDictionary) == errSecSuccess)
      #expect(copy(find as CFDictionary).0 == errSecItemNotFound)
      #expect(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, nil) == nil)
    }

    @Test func `a key goes through its external representation`() throws {
      let key = try #require(make(permanent: false))
      let data = try #require(SecKeyCopyExternalRepresentation(key, nil))
      #expect(CFDataGetLength(data) == 97)
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]
      let again = try #require(SecKeyCreateWithData(data, attributes as CFDictionary, nil))
      #expect(again.isEqual(key))
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      let point = try #require(SecKeyCopyExternalRepresentation(publicKey, nil))
      #expect(CFDataGetLength(point) == 65)
      #expect(
        SecKeyCreateWithData(
          Data(count: 65) as CFData,
          [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPublic]
            as CFDictionary, nil) == nil)
      // Stored as an item, and found as a key.
      #expect(
        SecItemAdd([kSecValueRef: key, kSecAttrLabel: "mine"] as CFDictionary, nil) == errSecSuccess
      )
      #expect(SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecDuplicateItem)
      let find: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrLabel: "mine", kSecReturnRef: true,
      ]
      #expect((copy(find as CFDictionary).1 as! SecKey).isEqual(key))
    }

    @Test func `both sides of an exchange reach one secret`() throws {
      let stored = try #require(make())
      let own = try #require(make(permanent: false))
      let exchange = { (key: SecKey, peer: SecKey) in
        SecKeyCopyKeyExchangeResult(
          key, .ecdhKeyExchangeStandard, SecKeyCopyPublicKey(peer)!, [:] as CFDictionary, nil)
      }
      let first = try #require(exchange(stored, own))
      #expect(first as Data == exchange(own, stored)! as Data)
      #expect(CFDataGetLength(first) == 32)
    }

    @Test(arguments: [
      SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM,
      .eciesEncryptionCofactorX963SHA512AESGCM,
      .eciesEncryptionStandardVariableIVX963SHA224AESGCM,
      .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
    ])
    func `what is encrypted to a key the key alone decrypts`(algorithm: SecKeyAlgorithm) throws {
      for key in [try #require(make()), try #require(make(permanent: false))] {
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
        #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
        #expect(!SecKeyIsAlgorithmSupported(publicKey, .decrypt, algorithm))
        #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
        #expect(SecKeyCreateEncryptedData(key, algorithm, message, nil) == nil)
        for plain in [Data(), Data("secret".utf8), Data(count: 100_000)] {
          let sealed = try #require(
            SecKeyCreateEncryptedData(publicKey, algorithm, plain as CFData, nil))
          #expect(CFDataGetLength(sealed) == 65 + plain.count + 16)
          #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) as Data? == plain)
          var wrong = sealed as Data
          wrong[wrong.count - 1] ^= 1
          #expect(SecKeyCreateDecryptedData(key, algorithm, wrong as CFData, nil) == nil)
          #expect(SecCopyLastFailure()?.status == errSecParam)
          #expect(SecKeyCreateDecryptedData(publicKey, algorithm, sealed, nil) == nil)
          let other = try #require(make(permanent: false))
          #expect(SecKeyCreateDecryptedData(other, algorithm, sealed, nil) == nil)
        }
        #expect(SecKeyCreateDecryptedData(key, algorithm, Data(count: 3) as CFData, nil) == nil)
      }
    }

    /// Made by another implementation of ECIES (pyca/cryptography) with keys of its own.
    @Test func `what others encrypted in Apple's form is decrypted`() throws {
      let data = { (text: String) in Data(base64Encoded: text)! as CFData }
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]
      let key = SecKeyCreateWithData(
        data(
          "BNohICRsuf8VMV/1/9UCy+x62pD0AEA/ICR/j4iXOU4DBNrQSYCux9W9nHT+K2pnWdB/MJjKyTcc"
            + "1u6ypo3pSIpbOXVlHDyrktBEwJbcMKHC2VJUl0V0ct5IxR7LNj0fSg=="),
        attributes as CFDictionary, nil)
      let zero = SecKeyCreateDecryptedData(
        try #require(key), .eciesEncryptionStandardX963SHA256AESGCM,
        data(
          "BJp4HKbQVafzDQyf+Hk2xzn2gW719ecrS5RkBLChqDsqwZ+EKUXqK/ZaoWSbKwL/eYVMjV7PzUA4"
            + "YuipfqZsccGl0VaGRnbPzODaJDgakpQAtu3XtZMJ"), nil)
      #expect(zero as Data? == Data("secret".utf8))
      let variable = SecKeyCreateDecryptedData(
        try #require(key), .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
        data(
          "BJp4HKbQVafzDQyf+Hk2xzn2gW719ecrS5RkBLChqDsqwZ+EKUXqK/ZaoWSbKwL/eYVMjV7PzUA4"
            + "YuipfqZsccE6Q3GPaXoRbocAfC5B1Vk1PM9E7BX1"), nil)
      #expect(variable as Data? == Data("secret".utf8))
    }

    @Test func `an exchange derives what was asked for, the same on both sides`() throws {
      let own = try #require(make(permanent: false))
      let stored = try #require(make())
      let parameters: [CFString: Any] = [
        SecKeyKeyExchangeParameter.requestedSize.rawValue: 77,
        SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
      ]
      let exchange = { (key: SecKey, peer: SecKey, parameters: [CFString: Any]) in
        SecKeyCopyKeyExchangeResult(
          key, .ecdhKeyExchangeCofactorX963SHA256, SecKeyCopyPublicKey(peer)!,
          parameters as CFDictionary, nil) as Data?
      }
      let first = try #require(exchange(own, stored, parameters))
      #expect(first.count == 77 && first == exchange(stored, own, parameters))
      #expect(exchange(own, stored, [:])?.count == 32)
      #expect(exchange(own, stored, [:]) != first.prefix(32))
      #expect(
        exchange(own, stored, [SecKeyKeyExchangeParameter.requestedSize.rawValue: 0]) == nil)
      #expect(
        exchange(own, stored, [SecKeyKeyExchangeParameter.sharedInfo.rawValue: "text"]) == nil)
      #expect(SecCopyLastFailure()?.status == errSecParam)
    }

    @Test func `what a key cannot do is not supported, and -50`() throws {
      let key = try #require(make(permanent: false))
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      #expect(SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureDigestX962SHA256))
      #expect(!SecKeyIsAlgorithmSupported(publicKey, .sign, .ecdsaSignatureDigestX962SHA256))
      #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, .ecdsaSignatureDigestX962SHA256))
      #expect(!SecKeyIsAlgorithmSupported(key, .sign, .eddsaSignatureMessageCurve25519SHA512))
      #expect(SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeCofactor))
      #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, .ecdhKeyExchangeStandard))
      #expect(
        SecKeyCreateSignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, nil) == nil)
      #expect(SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA256, message, nil) == nil)
      #expect(SecCopyLastFailure()?.status == errSecParam)
    }

    @Test func `keys of other kinds are unimplemented, and nonsense is -50`() {
      var error: Unmanaged<CFError>?
      #expect(
        SecKeyCreateRandomKey(
          [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as CFDictionary, &error
        ) == nil)
      #expect(error?.takeRetainedValue().code == Int(errSecUnimplemented))
      #expect(
        SecKeyCreateRandomKey(
          [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 384] as CFDictionary, &error)
          == nil)
      #expect(error?.takeRetainedValue().code == Int(errSecParam))
      #expect(SecKeyCreateRandomKey([:] as CFDictionary, nil) == nil)
    }
  }
}
