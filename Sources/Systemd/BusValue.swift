/// One D-Bus value, free of the message it came from.
public indirect enum BusValue: Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  case fileDescriptor(BusFileDescriptor)
  /// The element signature is kept so that an empty array can be written.
  case array(of: String, [BusValue])
  case structure([BusValue])
  case entry(BusValue, BusValue)
  case variant(BusValue)

  /// The D-Bus type signature of this value.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .fileDescriptor: "h"
    case .array(let element, _): "a" + element
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// An `as`.
  public static func strings(_ values: [String]) -> BusValue {
    .array(of: "s", values.map { .string($0) })
  }

  /// An `a{ss}`.
  public static func dictionary(_ values: [(String, String)]) -> BusValue {
    .array(of: "{ss}", values.map { .entry(.string($0), .string($1)) })
  }

  /// An `a{sv}`.
  public static func properties(_ values: [(String, BusValue)]) -> BusValue {
    .array(of: "{sv}", values.map { .entry(.string($0), .variant($1)) })
  }
}

extension BusValue {
  /// The text of a string, object path or signature; also through a variant.
  public var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case .variant(let inner): inner.text
    default: nil
    }
  }

  public var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .variant(let inner): inner.bool
    default: nil
    }
  }

  /// An unsigned number of any width.
  public var unsigned: UInt64? {
    switch self {
    case .byte(let value): UInt64(value)
    case .uint32(let value): UInt64(value)
    case .uint64(let value): value
    case .variant(let inner): inner.unsigned
    default: nil
    }
  }

  public var fileDescriptor: BusFileDescriptor? {
    if case .fileDescriptor(let descriptor) = self { descriptor } else { nil }
  }

  /// The elements of an array or the fields of a structure.
  public var elements: [BusValue]? {
    switch self {
    case .array(_, let elements), .structure(let elements): elements
    case .variant(let inner): inner.elements
    default: nil
    }
  }

  /// A dictionary with text keys, its values out of their variants.
  public var dictionary: [String: BusValue]? {
    guard let elements else { return nil }
    var result: [String: BusValue] = [:]
    for element in elements {
      guard case .entry(let key, let value) = element, let name = key.text else { return nil }
      if case .variant(let inner) = value { result[name] = inner } else { result[name] = value }
    }
    return result
  }
}
