/// Writes the field encodings of RFC 4251 section 5: big-endian integers, `uint32` length + bytes
/// for strings, one byte for a boolean.
///
/// One codec serves the socket, the sealed items and the helper processes. It never carries a
/// secret: a secret is a frame of its own (see ``Frame``).
public struct Encoder: Sendable {
  public private(set) var bytes: [UInt8] = []

  /// - Parameter capacity: bytes that are written without another allocation; most messages fit
  ///   into the default.
  public init(capacity: Int = 112) {
    bytes.reserveCapacity(capacity)
  }

  /// Goes on behind what is written already.
  public init(after bytes: [UInt8]) {
    self.bytes = bytes
  }

  public mutating func uint8(_ value: UInt8) {
    bytes.append(value)
  }

  public mutating func bool(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  public mutating func uint32(_ value: UInt32) {
    bytes.append(addingCapacity: 4) { span in
      span.append(UInt8(truncatingIfNeeded: value >> 24))
      span.append(UInt8(truncatingIfNeeded: value >> 16))
      span.append(UInt8(truncatingIfNeeded: value >> 8))
      span.append(UInt8(truncatingIfNeeded: value))
    }
  }

  public mutating func int32(_ value: Int32) {
    uint32(UInt32(bitPattern: value))
  }

  public mutating func uint64(_ value: UInt64) {
    uint32(UInt32(truncatingIfNeeded: value >> 32))
    uint32(UInt32(truncatingIfNeeded: value))
  }

  /// A `string`: `uint32` length, then the bytes.
  public mutating func string(_ value: [UInt8]) {
    uint32(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  /// Text as a `string` of its UTF-8 bytes.
  public mutating func text(_ value: String) {
    uint32(UInt32(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// What `body` writes, as a `string`.
  @inlinable
  public mutating func nested(_ body: (inout Encoder) -> Void) {
    let start = bytes.count
    uint32(0)
    body(&self)
    setLength(at: start)
  }

  /// Puts the number of bytes behind it into the `uint32` at `start`.
  @usableFromInline
  mutating func setLength(at start: Int) {
    let count = UInt32(bytes.count - start - 4)
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
    }
  }

  /// A list: `uint32` count, then each element by `body`.
  @inlinable
  public mutating func list<Element>(
    _ elements: [Element], _ body: (inout Encoder, Element) -> Void
  ) {
    uint32(UInt32(elements.count))
    for element in elements {
      body(&self, element)
    }
  }

  /// Presence as a boolean, then the value by `body` when there is one.
  @inlinable
  public mutating func optional<Value>(_ value: Value?, _ body: (inout Encoder, Value) -> Void) {
    bool(value != nil)
    if let value {
      body(&self, value)
    }
  }
}
