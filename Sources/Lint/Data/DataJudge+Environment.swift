extension DataJudge {
  /// Reads lines of `NAME=value`, with `export` and quotes.
  static func environment(_ bytes: [UInt8], path: String) -> DataJudge {
    var judge = DataJudge(bytes, path: path)
    if path.hasSuffix(".xcconfig") {
      judge.facts.targetsApple = true
      judge.facts.describesUse = judge.text(0..<bytes.count).contains("NSFaceIDUsageDescription")
    }
    var start = 0
    for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
      judge.variable(String(decoding: line, as: UTF8.self), at: start)
      start += line.count + 1
    }
    return judge
  }

  private mutating func variable(_ line: String, at offset: Int) {
    var text = Substring(line).drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, first != "#", !text.hasPrefix("//") else { return }
    if text.hasPrefix("export ") { text = text.dropFirst(7) }
    guard let equals = text.firstIndex(of: "=") else { return }
    let name = String(text[..<equals]).trimmed(" \t")
    guard !name.contains(" "), SecretName.isSecret(name) else { return }
    let value = Self.value(String(text[text.index(after: equals)...]))
    guard !value.isEmpty, !isExpansion(value), !Placeholder.isOne(value, of: name) else { return }
    report(.secretInEnvironment, at: offset, name)
  }

  /// Whether a variable or a command gives the value, with no default of its own.
  private func isExpansion(_ value: String) -> Bool {
    guard value.contains("$") || value.contains("`") else { return false }
    guard let dash = value.firstRange(of: ":-") ?? value.firstRange(of: "-"), value.hasPrefix("${")
    else { return true }
    let fallback = value[dash.upperBound...].prefix { $0 != "}" }
    return fallback.isEmpty || fallback.hasPrefix("$")
  }

  /// The value without its quotes, or up to a comment.
  static func value(_ text: String) -> String {
    let text = text.trimmed(" \t\r").drop { $0 == " " || $0 == "\t" }
    if let quote = text.first, quote == "\"" || quote == "'" {
      return String(text.dropFirst().prefix { $0 != quote })
    }
    var result = ""
    var last: Character = " "
    for character in text {
      if character == "#", last == " " || last == "\t" { break }
      result.append(character)
      last = character
    }
    return result.trimmed(" \t")
  }
}
