/// A value of JSON, and its text: only printable ASCII, so that it may go to a terminal.
enum JSON {
  case null
  case bool(Bool)
  case number(Int64)
  case text(String)
  /// Bytes from outside: a string where they are UTF-8, else `{"hex": "…"}`.
  case bytes([UInt8])
  case array([JSON])
  case object([(String, JSON)])

  var encoded: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .text(let text): Self.string(text)
    case .bytes(let bytes):
      String(validating: bytes, as: UTF8.self).map(Self.string)
        ?? "{\"hex\": \"\(bytes.map(Self.hexadecimal).joined())\"}"
    case .array(let values): "[" + values.map(\.encoded).joined(separator: ", ") + "]"
    case .object(let pairs):
      "{" + pairs.map { Self.string($0.0) + ": " + $0.1.encoded }.joined(separator: ", ") + "}"
    }
  }

  private static func string(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5c: result += "\\\\"
      case 0x20..<0x7f: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
