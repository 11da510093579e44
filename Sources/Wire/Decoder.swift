/// Why bytes from outside were not understood.
public enum DecodingError: Error, Equatable, Sendable {
  /// A field runs past the end of the message.
  case truncated
  /// Bytes are left after the last field.
  case trailing
  /// A field holds a value outside its range.
  case invalid
  /// A length or count exceeds its limit.
  case tooLarge
}

/// Reads what ``Encoder`` wrote, from bytes nobody vouches for.
///
/// Every accessor checks the remaining length first and throws without having allocated more than
/// the message itself holds, so a forged length costs nothing.
public struct Decoder: Sendable {
  private let bytes: [UInt8]
  private var position: Int

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
  }

  public var remaining: Int { bytes.endIndex - position }

  public mutating func uint8() throws(DecodingError) -> UInt8 {
    guard remaining >= 1 else { throw .truncated }
    defer { position += 1 }
    return bytes[position]
  }

  /// A boolean has one encoding for each value, so that parse then print gives the same bytes.
  public mutating func bool() throws(DecodingError) -> Bool {
    switch try uint8() {
    case 0: return false
    case 1: return true
    default: throw .invalid
    }
  }

  public mutating func uint32() throws(DecodingError) -> UInt32 {
    guard remaining >= 4 else { throw .truncated }
    defer { position += 4 }
    return UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16
      | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
  }

  public mutating func int32() throws(DecodingError) -> Int32 {
    Int32(bitPattern: try uint32())
  }

  public mutating func uint64() throws(DecodingError) -> UInt64 {
    guard remaining >= 8 else { throw .truncated }
    return UInt64(try uint32()) << 32 | UInt64(try uint32())
  }

  public mutating func string(limit: Int = Limits.field) throws(DecodingError) -> [UInt8] {
    let count = try stringCount(limit: limit)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// The length of a `string` whose bytes are all there.
  private mutating func stringCount(limit: Int) throws(DecodingError) -> Int {
    let count = Int(try uint32())
    guard count <= limit else { throw .tooLarge }
    guard count <= remaining else { throw .truncated }
    return count
  }

  /// Text that must be UTF-8 as it stands: nothing is repaired, so nothing can be forged by repair.
  public mutating func text(limit: Int = Limits.field) throws(DecodingError) -> String {
    let count = try stringCount(limit: limit)
    defer { position += count }
    guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
      throw .invalid
    }
    return text
  }

  @inlinable
  public mutating func list<Element>(
    limit: Int, _ body: (inout Decoder) throws(DecodingError) -> Element
  ) throws(DecodingError) -> [Element] {
    let count = Int(try uint32())
    guard count <= limit else { throw .tooLarge }
    // Every element takes at least one byte; a larger count cannot be honest.
    guard count <= remaining else { throw .truncated }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count {
      elements.append(try body(&self))
    }
    return elements
  }

  @inlinable
  public mutating func optional<Value>(
    _ body: (inout Decoder) throws(DecodingError) -> Value
  ) throws(DecodingError) -> Value? {
    try bool() ? try body(&self) : nil
  }

  /// Refuses a message with bytes after its last field.
  public func finish() throws(DecodingError) {
    guard remaining == 0 else { throw .trailing }
  }
}
