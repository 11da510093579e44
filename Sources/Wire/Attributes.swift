/// The attributes of an item beside its identity: names to bytes, never secret.
///
/// Kept sorted by name, so that equal attributes have equal bytes.
public struct Attributes: Hashable, Sendable {
  public private(set) var pairs: [Pair] = []

  public struct Pair: Hashable, Sendable {
    public let name: [UInt8]
    public let value: [UInt8]

    public init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  public init() {}

  public subscript(name: [UInt8]) -> [UInt8]? {
    get { pairs.first { $0.name == name }?.value }
    set {
      let index = pairs.firstIndex { !$0.name.lexicographicallyPrecedes(name) } ?? pairs.endIndex
      if index < pairs.endIndex, pairs[index].name == name { pairs.remove(at: index) }
      if let newValue { pairs.insert(Pair(name: name, value: newValue), at: index) }
    }
  }

  public subscript(name: String) -> [UInt8]? {
    get { self[Array(name.utf8)] }
    set { self[Array(name.utf8)] = newValue }
  }

  public var encoded: [UInt8] {
    var encoder = Encoder()
    encode(into: &encoder)
    return encoder.bytes
  }

  public func encode(into encoder: inout Encoder) {
    encoder.list(pairs) { encoder, pair in
      encoder.string(pair.name)
      encoder.string(pair.value)
    }
  }

  /// - Throws: `.invalid` when the names are not sorted and unique.
  public init(from decoder: inout Decoder) throws(DecodingError) {
    pairs = try decoder.list(limit: Limits.attributes) { decoder throws(DecodingError) in
      Pair(name: try decoder.string(limit: 256), value: try decoder.string())
    }
    for (left, right) in zip(pairs, pairs.dropFirst()) {
      guard left.name.lexicographicallyPrecedes(right.name) else { throw .invalid }
    }
  }
}
