import Security

extension SecurityTests.FunctionTableTests {
  private static func make(
    _ type: CFString = kSecAttrKeyTypeECSECPrimeRandom, bits: Int = 256, stored: Bool = false,
    error: SecErrorPointer = nil
  ) -> SecKey? {
    var parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
    if stored {
      parameters[kSecPrivateKeyAttrs] =
        [
          kSecAttrIsPermanent: true, kSecAttrAccessControl: control(.privateKeyUsage),
        ] as [CFString: Any]
    }
    return SecKeyCreateRandomKey(parameters as CFDictionary, error)
  }

  private static let key = make()!
  private static let publicKey = SecKeyCopyPublicKey(key)!
  nonisolated(unsafe) private static let message = Data("message".utf8) as CFData
  private static let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

  private static func answer(
    _ body: (SecErrorPointer) -> Any?
  ) -> FunctionAnswer {
    var error: Unmanaged<CFError>?
    let result = body(&error)
    return FunctionAnswer(result, error)
  }

  private static func imported(_ bytes: Data, _ kind: CFString) -> FunctionAnswer {
    answer { error in
      SecKeyCreateWithData(
        bytes as CFData,
        [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kind] as CFDictionary, error)
    }
  }

  nonisolated(unsafe) static let keyRows: [FunctionRow] = [
    FunctionRow("SecKeyCreateRandomKey", "P-256", .init(0, "key")) { _ in answer { make(error: $0) }
    },
    FunctionRow("SecKeyCreateRandomKey", "P-256, kept by the system", .init(0, "key")) { _ in
      answer { make(stored: true, error: $0) }
    },
    FunctionRow(
      "SecKeyCreateRandomKey", "RSA", .init(0, "key"), here: .init(-4), "Keys are P-256,"
    ) { _ in answer { make(kSecAttrKeyTypeRSA, bits: 2048, error: $0) } },
    FunctionRow("SecKeyCreateRandomKey", "no type", .init(-50)) { _ in
      answer { SecKeyCreateRandomKey([:] as CFDictionary, $0) }
    },
    FunctionRow("SecKeyCreateWithData", "a point", .init(0, "key")) { _ in
      imported(SecKeyCopyExternalRepresentation(publicKey, nil)! as Data, kSecAttrKeyClassPublic)
    },
    FunctionRow("SecKeyCreateWithData", "what is no key", .init(-50)) { _ in
      imported(Data(count: 65), kSecAttrKeyClassPublic)
    },
    FunctionRow("SecKeyCopyPublicKey", "a private key", .init(0, "key")) { _ in
      FunctionAnswer(0, SecKeyCopyPublicKey(key))
    },
    FunctionRow("SecKeyCopyAttributes", "a key", .init(0, "dictionary")) { _ in
      FunctionAnswer(0, SecKeyCopyAttributes(key))
    },
    FunctionRow("SecKeyCopyExternalRepresentation", "a private key", .init(0, "data")) { _ in
      answer { SecKeyCopyExternalRepresentation(key, $0) }
    },
    FunctionRow("SecKeyCopyExternalRepresentation", "one kept by the system", .init(-4)) { _ in
      answer { SecKeyCopyExternalRepresentation(make(stored: true)!, $0) }
    },
    FunctionRow("SecKeyCreateSignature", "ECDSA of a message", .init(0, "data")) { _ in
      answer { SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, $0) }
    },
    FunctionRow("SecKeyCreateSignature", "a public key", .init(-50)) { _ in
      answer { SecKeyCreateSignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, $0) }
    },
    FunctionRow("SecKeyVerifySignature", "its signature", .init(0, "yes")) { _ in
      let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
      let signature = SecKeyCreateSignature(key, algorithm, message, nil)!
      return answer { SecKeyVerifySignature(publicKey, algorithm, message, signature, $0) }
    },
    FunctionRow(
      "SecKeyVerifySignature", "another signature", .init(Int(errSecVerifyFailed), "no")
    ) { _ in
      answer {
        SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, message, $0)
      }
    },
    FunctionRow("SecKeyCopyKeyExchangeResult", "ECDH", .init(0, "data")) { _ in
      answer {
        SecKeyCopyKeyExchangeResult(
          key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, $0)
      }
    },
    FunctionRow("SecKeyCreateEncryptedData", "ECIES", .init(0, "data")) { _ in
      answer { SecKeyCreateEncryptedData(publicKey, ecies, message, $0) }
    },
    FunctionRow("SecKeyCreateDecryptedData", "ECIES", .init(0, "data")) { _ in
      let sealed = SecKeyCreateEncryptedData(publicKey, ecies, message, nil)!
      return answer { SecKeyCreateDecryptedData(key, ecies, sealed, $0) }
    },
    FunctionRow("SecKeyCreateDecryptedData", "what was not encrypted", .init(-50)) { _ in
      answer { SecKeyCreateDecryptedData(key, ecies, message, $0) }
    },
    FunctionRow("SecKeyIsAlgorithmSupported", "ECIES, to decrypt", .init(0, "yes")) { _ in
      FunctionAnswer(0, SecKeyIsAlgorithmSupported(key, .decrypt, ecies))
    },
    FunctionRow("SecKeyIsAlgorithmSupported", "a public key, to sign", .init(0, "no")) { _ in
      FunctionAnswer(
        0, SecKeyIsAlgorithmSupported(publicKey, .sign, .ecdsaSignatureMessageX962SHA256))
    },
    FunctionRow("SecKeyGetBlockSize", "a key", .init(32, "number")) { _ in
      FunctionAnswer(SecKeyGetBlockSize(key), "number")
    },
    FunctionRow("SecKeyGetTypeID", "", .init(0, "yes")) { _ in
      FunctionAnswer(0, CFGetTypeID(key) == SecKeyGetTypeID())
    },
  ]
}
