import Crypto
import Wire

/// What a row of a store holds: an item as it was sealed, or what the service keeps of an item whose
/// sealed form is in a store outside.
///
/// Format 2, in the encodings of RFC 4251: `byte` 2; the form as it is named outside, which is
/// `string` id, `string` digest and `uint32` length; `boolean` 1 and the `string` sealed form as
/// long as nobody said that it is placed outside, then `boolean` 0 and the `string` header. Every
/// other first byte is a ``SealedItem``'s.
///
/// So all that is needed to judge, to list and to search is here, and of the forms outside just one
/// opens: an older one, such as from when the policy was weaker, and a deleted item's are none.
public final class KeptItem: Equatable, Sendable {
  static let format: UInt8 = 2

  public let header: SealedItem.Header
  /// nil when only the store outside has it.
  public let sealed: SealedItem?
  /// nil when the service alone keeps it.
  public let outside: SealedForm?

  /// An item that the service keeps.
  init(_ sealed: SealedItem) {
    header = sealed.header
    self.sealed = sealed
    outside = nil
  }

  /// An item that is to be placed outside under this id.
  init(_ sealed: SealedItem, outside id: [UInt8]) {
    let form = sealed.encoded
    header = sealed.header
    self.sealed = sealed
    outside = SealedForm(id: id, digest: Self.digest(form), count: UInt32(form.count))
  }

  private init(_ header: SealedItem.Header, _ sealed: SealedItem?, _ outside: SealedForm) {
    self.header = header
    self.sealed = sealed
    self.outside = outside
  }

  public static func == (left: KeptItem, right: KeptItem) -> Bool {
    left.header == right.header && left.sealed == right.sealed && left.outside == right.outside
  }

  static func digest(_ form: [UInt8]) -> [UInt8] { Hash.blake2b(form) }

  var store: StoreKind { outside == nil ? .own : .secretService }

  /// Whether the sealed form is where it is to be.
  var isPlaced: Bool { outside == nil || sealed == nil }

  /// The same without the form, which is placed; itself when the service keeps it.
  var placed: KeptItem { outside.map { KeptItem(header, nil, $0) } ?? self }

  /// Bytes of the sealed form, wherever it is.
  func sealedCount(in row: StoredItem) -> Int { outside.map { Int($0.count) } ?? row.sealed.count }

  /// Bytes that a row has beside the sealed form until that is placed.
  static let overhead = 128

  public var encoded: [UInt8] {
    guard let outside else { return sealed?.encoded ?? [] }
    var encoder = Encoder()
    encoder.uint8(Self.format)
    outside.encode(into: &encoder)
    encoder.bool(sealed != nil)
    if let sealed {
      encoder.string(sealed.encoded)
    } else {
      encoder.nested { encoder in header.encode(into: &encoder) }
    }
    return encoder.bytes
  }

  public convenience init(_ bytes: [UInt8]) throws(DecodingError) {
    guard bytes.first == Self.format else {
      self.init(try SealedItem(bytes))
      return
    }
    var decoder = Decoder(bytes)
    _ = try decoder.uint8()
    let outside = try SealedForm(from: &decoder)
    let hasForm = try decoder.bool()
    let content = try decoder.string(limit: Limits.sealed)
    try decoder.finish()
    if hasForm {
      let sealed = try SealedItem(content)
      guard content.count == Int(outside.count), Self.digest(content) == outside.digest else {
        throw .invalid
      }
      self.init(sealed.header, sealed, outside)
    } else {
      var inner = Decoder(content)
      let header = try SealedItem.Header(from: &inner)
      try inner.finish()
      self.init(header, nil, outside)
    }
  }
}
