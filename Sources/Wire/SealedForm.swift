/// The sealed form of an item that is kept outside, as both sides speak of it. What it names is no
/// secret: it opens with the service's keys alone, and only while it is the item's current one.
public struct SealedForm: Hashable, Sendable {
  /// Bytes of an ``id``.
  public static let idCount = 16
  /// Bytes of a ``digest``.
  public static let digestCount = 32

  /// The item's own as long as it is kept outside, random.
  public let id: [UInt8]
  /// BLAKE2b-256 of the form.
  public let digest: [UInt8]
  /// Length of the form in bytes.
  public let count: UInt32

  /// - Precondition: `id` has 16 bytes and `digest` 32.
  public init(id: [UInt8], digest: [UInt8], count: UInt32) {
    precondition(id.count == Self.idCount && digest.count == Self.digestCount)
    self.id = id
    self.digest = digest
    self.count = count
  }

  /// Counts the writes of the item whose form this is; nil for bytes that are no form.
  public static func version(of form: [UInt8]) -> UInt64? {
    var decoder = Decoder(Array(form.prefix(9)))
    guard (try? decoder.uint8()) == 1 else { return nil }
    return try? decoder.uint64()
  }

  /// Many ids, at most ``Limits/items``.
  public static func encode(ids: [[UInt8]], into encoder: inout Encoder) {
    encoder.list(ids) { encoder, id in encoder.string(id) }
  }

  public static func ids(from decoder: inout Decoder) throws(DecodingError) -> [[UInt8]] {
    try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
      let id = try decoder.string(limit: idCount)
      guard id.count == idCount else { throw .invalid }
      return id
    }
  }

  public func encode(into encoder: inout Encoder) {
    encoder.string(id)
    encoder.string(digest)
    encoder.uint32(count)
  }

  public init(from decoder: inout Decoder) throws(DecodingError) {
    id = try decoder.string(limit: Self.idCount)
    digest = try decoder.string(limit: Self.digestCount)
    count = try decoder.uint32()
    guard id.count == Self.idCount, digest.count == Self.digestCount, count > 0,
      count <= UInt32(Limits.sealed)
    else { throw .invalid }
  }
}

/// Some bytes of a form that the client brings. Parts come in order, each full but for the last of
/// a form.
public struct FormPart: Equatable, Sendable {
  /// Which of the forms that were asked for.
  public let index: UInt32
  public let bytes: [UInt8]

  /// - Precondition: at most ``Limits/formPart`` bytes.
  public init(index: UInt32, bytes: [UInt8]) {
    precondition(bytes.count <= Limits.formPart)
    self.index = index
    self.bytes = bytes
  }

  /// A form cut into parts.
  public static func parts(of form: [UInt8], index: UInt32) -> [FormPart] {
    stride(from: 0, to: form.count, by: Limits.formPart).map { start in
      FormPart(index: index, bytes: Array(form[start...].prefix(Limits.formPart)))
    }
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint32(index)
    encoder.string(bytes)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    index = try decoder.uint32()
    bytes = try decoder.string(limit: Limits.formPart)
  }
}

/// Some bytes of a form that the client is to place.
public struct FormPage: Equatable, Sendable {
  public let form: SealedForm
  /// Those of the item, with the first page only.
  public let attributes: Attributes
  public let bytes: [UInt8]

  public init(form: SealedForm, attributes: Attributes, bytes: [UInt8]) {
    self.form = form
    self.attributes = attributes
    self.bytes = bytes
  }

  func encode(into encoder: inout Encoder) {
    form.encode(into: &encoder)
    attributes.encode(into: &encoder)
    encoder.string(bytes)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    form = try SealedForm(from: &decoder)
    attributes = try Attributes(from: &decoder)
    bytes = try decoder.string(limit: Limits.formPart)
  }
}
