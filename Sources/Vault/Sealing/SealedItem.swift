import AccessControl
import Wire

/// An item as a store holds it.
///
/// Format 1, in the encodings of RFC 4251: the header; a list (`uint32` count) of at most two
/// wraps, each `byte` kind (1 unbound, 2 bound, in this order) and `string` box; the `string` box
/// of the secret.
///
/// The header is `byte` 1, `uint64` version, `uint64` created, `uint64` modified, `string` access
/// control (its binary form), `string` attributes (a list of `string` name and `string` value,
/// sorted by name), `boolean` and then `string` generation, `boolean` and then `string` salt,
/// `uint32` length of the secret. The strings after the booleans are there when they are 1.
///
/// A box is nonce (24), ciphertext and tag (16) of XChaCha20-Poly1305. The secret's key is random,
/// 32 bytes, and is itself what the wraps hold; the keys of the wraps are in ``ItemKeys``. The
/// associated data are `string` "whorl item", `string` owner, `string` identity and the header,
/// where the owner is `uint32` uid and `string` name; then the wrap's kind, or for the secret a
/// zero byte and the list of the wraps. So no part can be exchanged for another's, and no byte
/// changed.
///
/// A reference, since each read hands it on, and a copy takes a count for each of its parts.
public final class SealedItem: Equatable, Sendable {
  public static let format: UInt8 = 1

  public let header: Header
  public let wraps: [Wrap]
  /// The secret under the item's random key.
  public let box: [UInt8]

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

  public static func == (left: SealedItem, right: SealedItem) -> Bool {
    left === right
      || (left.header == right.header && left.wraps == right.wraps && left.box == right.box)
  }

  public func wrap(_ kind: Wrap.Kind) -> [UInt8]? {
    wraps.first { $0.kind == kind }?.box
  }

  public var encoded: [UInt8] {
    var encoder = Encoder()
    header.encode(into: &encoder)
    Self.encode(wraps, into: &encoder)
    encoder.string(box)
    return encoder.bytes
  }

  private static func encode(_ wraps: [Wrap], into encoder: inout Encoder) {
    encoder.list(wraps) { encoder, wrap in
      encoder.uint8(wrap.kind.rawValue)
      encoder.string(wrap.box)
    }
  }

  /// The associated data of a wrap's box.
  ///
  /// - Parameter data: the header's ``Header/associatedData(_:_:)``.
  static func associatedData(_ data: [UInt8], of kind: Wrap.Kind) -> [UInt8] {
    data + [kind.rawValue]
  }

  /// The associated data of the secret's box. The wraps are in it, so that an item of which any
  /// byte was changed never opens, not even by the wrap that was left alone.
  static func associatedData(_ data: [UInt8], ofSecretUnder wraps: [Wrap]) -> [UInt8] {
    var encoder = Encoder(after: data)
    encoder.uint8(0)
    encode(wraps, into: &encoder)
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
    encoder.nested { encoder in attributes.encode(into: &encoder) }
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

  /// The associated data of the item's boxes, less what says which box it is.
  func associatedData(_ owner: Owner, _ identity: [UInt8]) -> [UInt8] {
    // With room for what says which box it is.
    var encoder = Encoder(capacity: 480)
    encoder.text("whorl item")
    encoder.nested { encoder in owner.encode(into: &encoder) }
    encoder.string(identity)
    encode(into: &encoder)
    return encoder.bytes
  }
}
