import EllipticCurve
import Wire

/// How a key is used, with Apple's raw values.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let text: String
  public var rawValue: CFString { text as CFString }

  public init(rawValue: CFString) {
    text = rawValue as String
  }

  init(_ text: String) {
    self.text = text
  }

  public static let ecdsaSignatureDigestX962 = Self("algid:sign:ECDSA:digest-X962")
  public static let ecdsaSignatureDigestX962SHA1 = Self("algid:sign:ECDSA:digest-X962:SHA1")
  public static let ecdsaSignatureDigestX962SHA224 = Self("algid:sign:ECDSA:digest-X962:SHA224")
  public static let ecdsaSignatureDigestX962SHA256 = Self("algid:sign:ECDSA:digest-X962:SHA256")
  public static let ecdsaSignatureDigestX962SHA384 = Self("algid:sign:ECDSA:digest-X962:SHA384")
  public static let ecdsaSignatureDigestX962SHA512 = Self("algid:sign:ECDSA:digest-X962:SHA512")
  public static let ecdsaSignatureMessageX962SHA1 = Self("algid:sign:ECDSA:message-X962:SHA1")
  public static let ecdsaSignatureMessageX962SHA224 = Self("algid:sign:ECDSA:message-X962:SHA224")
  public static let ecdsaSignatureMessageX962SHA256 = Self("algid:sign:ECDSA:message-X962:SHA256")
  public static let ecdsaSignatureMessageX962SHA384 = Self("algid:sign:ECDSA:message-X962:SHA384")
  public static let ecdsaSignatureMessageX962SHA512 = Self("algid:sign:ECDSA:message-X962:SHA512")
  public static let ecdhKeyExchangeStandard = Self("algid:keyexchange:ECDH")
  public static let ecdhKeyExchangeCofactor = Self("algid:keyexchange:ECDHC")
  /// An extension: Ed25519 of a message.
  public static let eddsaSignatureMessageCurve25519SHA512 =
    Self("algid:sign:EdDSA:message-Curve25519:SHA512")

  /// What is signed: the message itself, its digest, or a digest that the caller made.
  enum Signing {
    case message
    case digest(MessageDigest)
    /// nil for a digest of any length.
    case given(MessageDigest?)
  }

  func signing(by kind: KeyKind) -> Signing? {
    switch kind {
    case .ed25519: self == .eddsaSignatureMessageCurve25519SHA512 ? .message : nil
    case .p256: Self.ecdsa[self]
    }
  }

  var isKeyExchange: Bool {
    self == .ecdhKeyExchangeStandard || self == .ecdhKeyExchangeCofactor || derivation != nil
  }

  private static let ecdsa: [Self: Signing] = [
    .ecdsaSignatureDigestX962: .given(nil),
    .ecdsaSignatureDigestX962SHA1: .given(.sha1),
    .ecdsaSignatureDigestX962SHA224: .given(.sha224),
    .ecdsaSignatureDigestX962SHA256: .given(.sha256),
    .ecdsaSignatureDigestX962SHA384: .given(.sha384),
    .ecdsaSignatureDigestX962SHA512: .given(.sha512),
    .ecdsaSignatureMessageX962SHA1: .digest(.sha1),
    .ecdsaSignatureMessageX962SHA224: .digest(.sha224),
    .ecdsaSignatureMessageX962SHA256: .digest(.sha256),
    .ecdsaSignatureMessageX962SHA384: .digest(.sha384),
    .ecdsaSignatureMessageX962SHA512: .digest(.sha512),
  ]
}

extension SecKeyAlgorithm.Signing {
  /// - Throws: `errSecParam` for a digest of the wrong length.
  func input(_ data: Data) throws(ItemFailure) -> [UInt8] {
    switch self {
    case .message: return Array(data)
    case .digest(let digest): return digest(Array(data))
    case .given(let digest):
      guard digest.map({ $0.count == data.count }) ?? (20...64).contains(data.count) else {
        throw ItemFailure(errSecParam)
      }
      return Array(data)
    }
  }
}
