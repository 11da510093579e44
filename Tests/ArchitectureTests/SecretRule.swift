/// A secret is a `SecretBytes` and nothing else, and nothing prints, codes or compares one.
enum SecretRule {
  static func problems(_ source: SwiftSource) -> [String] {
    guard source.isProduct else { return [] }
    let code = source.code.joined(separator: "\n")
    let declarations = code.matches(of: /\b(?:class|extension) SecretBytes\b([^{]*)\{/)
    let conformances = declarations.flatMap { declaration in
      declaration.1.matches(of: /\w+/).map { String($0.0) }.filter { forbidden.contains($0) }
    }
    let members =
      declarations.isEmpty
      ? []
      : source.matches(/\b(?:var|func) (?:description|debugDescription|customMirror|encode|hash)\b/)
        + source.matches(/\bfunc (?:==|<)/)
    return conformances.map { "\(source.path): SecretBytes as \($0)" }
      + members.map { "\(source.path):\($0): a secret that prints, codes or compares" }
      + source.matches(plain).map { "\(source.path):\($0): a secret in ordinary memory" }
  }

  private static let forbidden: Set = [
    "CustomStringConvertible", "CustomDebugStringConvertible", "CustomReflectable",
    "LosslessStringConvertible", "TextOutputStreamable", "Codable", "Encodable", "Decodable",
    "Equatable", "Hashable", "Comparable",
  ]

  private nonisolated(unsafe) static let plain =
    /\b([a-z]\w*(Secret|Password|Passcode|Passphrase)|secret|password|passcode|passphrase)s?: *(inout )?\[*(String|Substring|UInt8|Data)\b/
}
