import CSystemd
import Glibc

/// Turns a message body into ``BusValue``s, bounded in depth and number.
@safe
struct BusReader {
  private static let depthLimit = 16
  private static let valueLimit = 65_536

  private let message: OpaquePointer
  private var count = 0

  /// The message must outlive the reader.
  init(_ message: OpaquePointer) {
    // SAFETY: the caller keeps the message alive as long as the reader.
    unsafe self.message = unsafe message
  }

  static func body(of message: OpaquePointer) throws(BusError) -> [BusValue] {
    // SAFETY: the caller holds a reference to the message for the length of this call.
    var reader = unsafe BusReader(message)
    return try reader.values(depth: 0)
  }

  private mutating func values(depth: Int) throws(BusError) -> [BusValue] {
    guard depth <= Self.depthLimit else { throw .malformed }
    var values: [BusValue] = []
    while let value = try value(depth: depth) {
      count += 1
      guard count <= Self.valueLimit else { throw .malformed }
      values.append(value)
    }
    return values
  }

  private mutating func value(depth: Int) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    // SAFETY: both out-parameters are valid; `contents` points into the message, which is alive.
    let result = unsafe sd_bus_message_peek_type(message, &type, &contents)
    guard result >= 0 else { throw .system(errno: -result) }
    guard result > 0 else { return nil }
    let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): return .byte(try basic(type, UInt8(0)))
    case UInt8(ascii: "b"): return .bool(try basic(type, Int32(0)) != 0)
    case UInt8(ascii: "i"): return .int32(try basic(type, Int32(0)))
    case UInt8(ascii: "u"): return .uint32(try basic(type, UInt32(0)))
    case UInt8(ascii: "x"): return .int64(try basic(type, Int64(0)))
    case UInt8(ascii: "t"): return .uint64(try basic(type, UInt64(0)))
    case UInt8(ascii: "n"): return .int32(Int32(try basic(type, Int16(0))))
    case UInt8(ascii: "q"): return .uint32(UInt32(try basic(type, UInt16(0))))
    case UInt8(ascii: "d"): return .double(try basic(type, Double(0)))
    case UInt8(ascii: "s"): return .string(try text(type))
    case UInt8(ascii: "o"): return .objectPath(try text(type))
    case UInt8(ascii: "g"): return .signature(try text(type))
    case UInt8(ascii: "h"):
      return .fileDescriptor(try BusFileDescriptor(duplicating: try basic(type, Int32(-1))))
    case UInt8(ascii: "a"):
      return .array(of: inner, try container(type, inner, depth: depth))
    case UInt8(ascii: "r"):
      return .structure(try container(type, inner, depth: depth))
    case UInt8(ascii: "e"):
      let pair = try container(type, inner, depth: depth)
      guard pair.count == 2 else { throw .malformed }
      return .entry(pair[0], pair[1])
    case UInt8(ascii: "v"):
      let values = try container(type, inner, depth: depth)
      guard values.count == 1 else { throw .malformed }
      return .variant(values[0])
    default: throw .malformed
    }
  }

  private func basic<Value: BitwiseCopyable>(
    _ type: CChar, _ initial: Value
  ) throws(BusError) -> Value {
    var value = initial
    // SAFETY: sd-bus writes exactly the width of `type`, and every caller passes the Swift type of
    // that width.
    let result = unsafe sd_bus_message_read_basic(message, type, &value)
    guard result >= 0 else { throw .system(errno: -result) }
    return value
  }

  private func text(_ type: CChar) throws(BusError) -> String {
    var pointer: UnsafePointer<CChar>?
    // SAFETY: for text types sd-bus stores a pointer into the living message; it is copied at once.
    let result = unsafe sd_bus_message_read_basic(message, type, &pointer)
    guard result >= 0 else { throw .system(errno: -result) }
    guard let pointer = unsafe pointer else { throw .malformed }
    return unsafe String(cString: pointer)
  }

  private mutating func container(
    _ type: CChar, _ contents: String, depth: Int
  ) throws(BusError) -> [BusValue] {
    // SAFETY: `message` is alive; the string is passed for the length of the call.
    var result = unsafe sd_bus_message_enter_container(message, type, contents)
    guard result >= 0 else { throw .system(errno: -result) }
    let values = try values(depth: depth + 1)
    result = unsafe sd_bus_message_exit_container(message)
    guard result >= 0 else { throw .system(errno: -result) }
    return values
  }
}
