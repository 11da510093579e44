/// Bytes of the fuzzer taken as decisions. After the last byte every decision is zero.
struct Choices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  mutating func uint64() -> UInt64 { (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) } }

  /// A length byte and as many bytes, or those that are left.
  mutating func field(limit: Int = 255) -> [UInt8] {
    take(min(Int(byte()), limit))
  }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  mutating func rest() -> [UInt8] { take(bytes.count) }
}
