import Foundation

/// Vectors on disk: lines of a name and hexadecimal bytes, `-` for none. `#` begins a comment.
///
/// They were made by another implementation, from the format as it is written down.
struct VectorFile {
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  private let name: String
  private let vectors: [String: [UInt8]]

  /// - Throws: when the file is not there or holds nothing, for then nothing would be tested.
  init(_ name: String) throws {
    self.name = name
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Vectors").appendingPathComponent(name)
    var vectors: [String: [UInt8]] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      let parts = line.split(separator: " ")
      guard parts.count == 2, let bytes = Self.bytes(parts[1]),
        vectors.updateValue(bytes, forKey: String(parts[0])) == nil
      else { throw Unusable(description: "\(name): not a vector: \(line)") }
    }
    guard !vectors.isEmpty else { throw Unusable(description: "\(name) holds no vector") }
    self.vectors = vectors
  }

  func bytes(_ vector: String) throws -> [UInt8] {
    guard let bytes = vectors[vector] else {
      throw Unusable(description: "\(name) has no \(vector)")
    }
    return bytes
  }

  func has(_ vector: String) -> Bool { vectors[vector] != nil }

  /// The names of the vectors `<folder>/<name>/…`.
  func names(in folder: String) throws -> [String] {
    let names = Set(
      vectors.keys.filter { $0.hasPrefix(folder + "/") }.map {
        String($0.split(separator: "/")[1])
      })
    guard !names.isEmpty else { throw Unusable(description: "\(name) has no \(folder)") }
    return names.sorted()
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    if text == "-" { return [] }
    let digits = Array(text.utf8).map { Int(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0]! * 16 + digits[$0 + 1]!)
    }
  }
}
