import Foundation
import SecretMemory
import Testing

/// One case of a vector file: fields in hexadecimal, and what the case is about.
struct Vector: CustomTestStringConvertible, Sendable {
  let fields: [String: String]

  var testDescription: String { fields["case"] ?? "?" }

  subscript(_ name: String) -> [UInt8] {
    get throws { try #require(Self.bytes(fields[name] ?? "missing")) }
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  func secret(_ name: String) throws -> SecretBytes {
    let bytes = try self[name]
    return try SecretBytes(copying: bytes.span)
  }

  /// All cases of a file. A file without any fails: it would test nothing.
  static func load(_ name: String) -> [Vector] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let url = folder.appending(path: "Vectors/\(name).txt")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      preconditionFailure("no vectors: \(name)")
    }
    let vectors = text.components(separatedBy: "\n\n").dropFirst().map { block in
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      return Vector(fields: fields)
    }
    precondition(!vectors.isEmpty, "no vectors: \(name)")
    return Array(vectors)
  }
}

extension SecretBytes {
  /// For comparing in tests, with values that are no secrets.
  var bytes: [UInt8] {
    withBytes { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return bytes
    }
  }
}
