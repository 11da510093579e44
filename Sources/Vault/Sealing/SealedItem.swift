import AccessControl
import Wire

/// An item as a store holds it.
///
/// Format 1, in the encodings of RFC 4251: header (`byte` 1, `uint64` version, created, modified,
/// `string` access control, attributes, optional generation, optional salt, `uint32` secret
/// length), list of at most two wraps (`byte` kind, `string` box), `string` box of the secret. A
/// box is nonce, ciphertext and tag of XChaCha20-Poly1305; its associated data are the owner, the
/// identity, the whole header and what the box is, so no part can be exchanged for another's.
public struct SealedItem: Equatable, Sendable {
  public static let format: UInt8 = 1

  public var header: Header
  public var wraps: [Wrap]
  /// The secret under the item's random key.
  public var box: [UInt8]

  /// Everything about the item that is not secret.
  public struct Header: Equatable, Sendable {
    /// Counts the writes of this item, from 1.
    public var version: UInt64
    public var created: UInt64
    public var modified: UInt64
    public var accessControl: AccessControl
    public var attributes: Attributes
    /// The generation the bound wrap belongs to.
    public var generation: GenerationID?
    /// The salt of the application password, 16 bytes.
    public var salt: [UInt8]?
    /// The secret's length in bytes.
    public var secretCount: UInt32
  }

  /// The item's random key under one of the two key-encryption keys.
  public struct Wrap: Equatable, Sendable {
    public enum Kind: UInt8, Sendable {
      /// Under KDF(host, user, class).
      case unbound = 1
      /// Under KDF(host, user, class, generation).
      case bound = 2
    }

    public let kind: Kind
    public let box: [UInt8]
  }

  public func wrap(_ kind: Wrap.Kind) -> [UInt8]? {
    wraps.first { $0.kind == kind }?.box
  }

  public var encoded: [UInt8] {
    var encoder = Encoder()
    header.encode(into: &encoder)
    encoder.list(wraps) { encoder, wrap in
      encoder.uint8(wrap.kind.rawValue)
      encoder.string(wrap.box)
    }
    encoder.string(box)
    return encoder.bytes
  }

  public init(header: Header, wraps: [Wrap], box: [UInt8]) {
    self.header = header
    self.wraps = wraps
    self.box = box
  }

  public init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    header = try Header(from: &decoder)
    wraps = try decoder.list(limit: 2) { decoder throws(DecodingError) in
      guard let kind = Wrap.Kind(rawValue: try decoder.uint8()) else { throw .invalid }
      return Wrap(kind: kind, box: try decoder.string(limit: 256))
    }
    guard wraps.count < 2 || wraps[0].kind.rawValue < wraps[1].kind.rawValue else {
      throw .invalid
    }
    box = try decoder.string(limit: Limits.secret + 256)
    try decoder.finish()
  }
}

extension SealedItem.Header {
  func encode(into encoder: inout Encoder) {
    encoder.uint8(SealedItem.format)
    encoder.uint64(version)
    encoder.uint64(created)
    encoder.uint64(modified)
    encoder.string(accessControl.binary)
    encoder.string(attributes.encoded)
    encoder.optional(generation) { encoder, generation in encoder.string(generation.bytes) }
    encoder.optional(salt) { encoder, salt in encoder.string(salt) }
    encoder.uint32(secretCount)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard try decoder.uint8() == SealedItem.format else { throw .invalid }
    version = try decoder.uint64()
    created = try decoder.uint64()
    modified = try decoder.uint64()
    let binary = try decoder.string(limit: AccessControl.binaryCount)
    do { accessControl = try AccessControl(binary: binary) } catch { throw .invalid }
    var inner = Decoder(try decoder.string(limit: Limits.message))
    attributes = try Attributes(from: &inner)
    try inner.finish()
    generation = try decoder.optional { decoder throws(DecodingError) in
      guard let id = GenerationID(try decoder.string(limit: GenerationID.count)) else {
        throw .invalid
      }
      return id
    }
    salt = try decoder.optional { decoder throws(DecodingError) in
      let salt = try decoder.string(limit: 16)
      guard salt.count == 16 else { throw .invalid }
      return salt
    }
    secretCount = try decoder.uint32()
  }

  /// The associated data of the item's boxes, less the byte that says which box it is.
  func associatedData(_ owner: Owner, _ identity: [UInt8]) -> [UInt8] {
    var encoder = Encoder()
    encoder.text("whorl item")
    encoder.string(owner.encoded)
    encoder.string(identity)
    encode(into: &encoder)
    return encoder.bytes
  }
}
