import Foundation

/// Vectors on disk: lines of a name and hexadecimal bytes. `#` begins a comment.
struct VectorFile {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  let vectors: [(name: String, bytes: [UInt8])]

  /// - Throws: when the file is not there or holds nothing, for then nothing would be tested.
  init(_ name: String) throws {
    let url = Self.folder.appendingPathComponent(name)
    var vectors: [(String, [UInt8])] = []
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      let parts = line.split(separator: " ")
      guard parts.count == 2, let bytes = Self.bytes(parts[1]) else {
        throw Missing(description: "\(name): not a vector: \(line)")
      }
      vectors.append((String(parts[0]), bytes))
    }
    guard !vectors.isEmpty else { throw Missing(description: "\(name) holds no vector") }
    self.vectors = vectors
  }

  /// Writes the file anew, when a change of the format was decided: UPDATE_VECTORS=1 swift test.
  static func update(_ name: String, _ vectors: [(String, [UInt8])], about: String) throws {
    guard ProcessInfo.processInfo.environment["UPDATE_VECTORS"] != nil else { return }
    let lines = vectors.map { $0.0 + " " + hexadecimal($0.1) }
    try ("# " + about + "\n" + lines.joined(separator: "\n") + "\n").write(
      to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Vectors")
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    let digits = Array(text.utf8).map { Int(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0]! * 16 + digits[$0 + 1]!)
    }
  }
}
