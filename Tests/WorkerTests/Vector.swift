import Foundation
import Wire

/// One line of a vector file.
struct Vector: CustomStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  /// `nil` when the bytes must decode.
  let error: DecodingError?

  var description: String { name }

  struct Malformed: Error {}

  static func load(_ file: String) throws -> [Vector] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appendingPathComponent("Vectors/\(file)"), encoding: .utf8)
    let vectors = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      var fields = line.split(separator: " ").map(String.init)
      guard fields.count >= 3 else { throw Malformed() }
      let isAccepted = fields.removeFirst() == "accept"
      let name = fields.removeFirst()
      let error = isAccepted ? nil : try Self.error(fields.removeLast())
      return Vector(name: name, bytes: try Self.bytes(fields.joined()), error: error)
    }
    // A loader that finds nothing would pass every test.
    guard vectors.count > 5 else { throw Malformed() }
    return vectors
  }

  private static func error(_ name: String) throws -> DecodingError {
    switch name {
    case "truncated": .truncated
    case "trailing": .trailing
    case "invalid": .invalid
    case "tooLarge": .tooLarge
    default: throw Malformed()
    }
  }

  private static func bytes(_ hex: String) throws -> [UInt8] {
    guard hex.count % 2 == 0 else { throw Malformed() }
    return try stride(from: 0, to: hex.count, by: 2).map { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      guard let byte = UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) else {
        throw Malformed()
      }
      return byte
    }
  }
}
