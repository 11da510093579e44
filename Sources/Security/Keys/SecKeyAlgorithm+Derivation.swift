import EllipticCurve

// Key exchange and encryption. On P-256, whose cofactor is 1, the two kinds of each are the same.
extension SecKeyAlgorithm {
  public static let ecdhKeyExchangeStandardX963SHA1 =
    Self("algid:keyexchange:ECDH:KDFX963:SHA1")
  public static let ecdhKeyExchangeStandardX963SHA224 =
    Self("algid:keyexchange:ECDH:KDFX963:SHA224")
  public static let ecdhKeyExchangeStandardX963SHA256 =
    Self("algid:keyexchange:ECDH:KDFX963:SHA256")
  public static let ecdhKeyExchangeStandardX963SHA384 =
    Self("algid:keyexchange:ECDH:KDFX963:SHA384")
  public static let ecdhKeyExchangeStandardX963SHA512 =
    Self("algid:keyexchange:ECDH:KDFX963:SHA512")
  public static let ecdhKeyExchangeCofactorX963SHA1 =
    Self("algid:keyexchange:ECDHC:KDFX963:SHA1")
  public static let ecdhKeyExchangeCofactorX963SHA224 =
    Self("algid:keyexchange:ECDHC:KDFX963:SHA224")
  public static let ecdhKeyExchangeCofactorX963SHA256 =
    Self("algid:keyexchange:ECDHC:KDFX963:SHA256")
  public static let ecdhKeyExchangeCofactorX963SHA384 =
    Self("algid:keyexchange:ECDHC:KDFX963:SHA384")
  public static let ecdhKeyExchangeCofactorX963SHA512 =
    Self("algid:keyexchange:ECDHC:KDFX963:SHA512")
  public static let eciesEncryptionStandardX963SHA1AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
  public static let eciesEncryptionStandardX963SHA224AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
  public static let eciesEncryptionStandardX963SHA256AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
  public static let eciesEncryptionStandardX963SHA384AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
  public static let eciesEncryptionStandardX963SHA512AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM =
    Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorX963SHA1AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
  public static let eciesEncryptionCofactorX963SHA224AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
  public static let eciesEncryptionCofactorX963SHA256AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
  public static let eciesEncryptionCofactorX963SHA384AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
  public static let eciesEncryptionCofactorX963SHA512AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM =
    Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")

  /// The digest of a key exchange that derives a key.
  var derivation: MessageDigest? {
    Self.pieces(self, after: "algid:keyexchange:").flatMap { pieces in
      pieces.count == 3 && pieces[1] == "KDFX963" ? MessageDigest(name: pieces[2]) : nil
    }
  }

  /// The digest of an encryption, and whether its IV is derived, too.
  var encryption: (digest: MessageDigest, derivesIV: Bool)? {
    guard let pieces = Self.pieces(self, after: "algid:encrypt:ECIES:"), pieces.count == 4,
      pieces[1] == "KDFX963", let digest = MessageDigest(name: pieces[2])
    else { return nil }
    switch pieces[3] {
    case "AESGCM": return (digest, false)
    case "AESGCM-KDFIV": return (digest, true)
    default: return nil
    }
  }

  /// What follows the prefix, for either kind of exchange.
  private static func pieces(_ algorithm: Self, after prefix: String) -> [Substring]? {
    let text = algorithm.rawValue as String
    guard text.hasPrefix(prefix) else { return nil }
    let pieces = text.dropFirst(prefix.count).split(separator: ":")
    return pieces.first == "ECDH" || pieces.first == "ECDHC" ? pieces : nil
  }
}

extension MessageDigest {
  fileprivate init?(name: Substring) {
    switch name {
    case "SHA1": self = .sha1
    case "SHA224": self = .sha224
    case "SHA256": self = .sha256
    case "SHA384": self = .sha384
    case "SHA512": self = .sha512
    default: return nil
    }
  }
}

/// The parameters of a key exchange, with Apple's raw values.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let text: String
  public var rawValue: CFString { text as CFString }

  public init(rawValue: CFString) {
    text = rawValue as String
  }

  /// The size of what is derived, in bytes.
  public static let requestedSize = Self(rawValue: "requestedSize" as CFString)
  /// What both sides know, as data.
  public static let sharedInfo = Self(rawValue: "sharedInfo" as CFString)
}
