/// The comments of a file that excuse a line: `whorl:allow RULE because of this`. A comment alone on
/// its line speaks of the next line that holds more than comments.
struct Excuses: Sendable {
  private(set) var rules: [Int: Set<Rule>] = [:]
  /// Lines whose comment names no rule that exists, or gives no reason.
  private(set) var faults: [Int] = []

  private static let mark = Array("whorl:allow".utf8)

  /// - Parameter comments: the bytes of the comments; nil takes each line from its comment sign.
  init(_ bytes: [UInt8], _ lines: LineTable, comments: [Range<Int>]? = nil) {
    var ranges = comments ?? []
    if comments == nil { ranges = Self.marked(bytes, lines) }
    for range in ranges {
      for place in Self.places(bytes, range) {
        let line = lines.line(place)
        let end = min(lines.range(line).upperBound, range.upperBound)
        guard
          let rules = Self.rules(bytes[place + Self.mark.count..<max(end, place + Self.mark.count)])
        else {
          faults.append(line)
          continue
        }
        self.rules[Self.target(bytes, lines, line, range.lowerBound), default: []].formUnion(rules)
      }
    }
  }

  func excuse(_ finding: Finding) -> Bool { rules[finding.line]?.contains(finding.rule) ?? false }

  private static func places(_ bytes: [UInt8], _ range: Range<Int>) -> [Int] {
    guard range.count >= mark.count else { return [] }
    return (range.lowerBound...range.upperBound - mark.count).filter { place in
      // In backticks it is only spoken of.
      bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark)
        && (place == 0 || bytes[place - 1] != UInt8(ascii: "`"))
    }
  }

  /// The parts of lines from a sign that begins a comment in any of the other syntaxes.
  private static func marked(_ bytes: [UInt8], _ lines: LineTable) -> [Range<Int>] {
    places(bytes, 0..<bytes.count).compactMap { place in
      let line = lines.range(lines.line(place))
      let before = bytes[line.lowerBound..<place]
      let signs = [Array("#".utf8), Array("//".utf8), Array("<!--".utf8), Array("/*".utf8)]
      let start = before.indices.first { index in
        signs.contains { bytes[index..<place].starts(with: $0) }
      }
      return start.map { $0..<line.upperBound }
    }
  }

  /// The rules that the words after the mark name; nil where one is unknown or no reason follows.
  private static func rules(_ bytes: ArraySlice<UInt8>) -> Set<Rule>? {
    var words = String(decoding: bytes, as: UTF8.self).split { " \t\r\n(),:".contains($0) }[...]
    var rules: Set<Rule> = []
    while let word = words.first, let rule = Rule(rawValue: String(word)) {
      rules.insert(rule)
      words.removeFirst()
    }
    while let word = words.first, ["because", "-", "--", "—"].contains(word) { words.removeFirst() }
    let reason = words.filter { $0.contains { $0.isLetter } && !["*/", "-->"].contains($0) }
    return rules.isEmpty || rules.contains(.excuseWithoutReason) || reason.count < 2 ? nil : rules
  }

  /// The line that a comment speaks of.
  private static func target(_ bytes: [UInt8], _ lines: LineTable, _ line: Int, _ start: Int) -> Int
  {
    let before = bytes[lines.range(lines.line(start)).lowerBound..<start]
    guard before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return line }
    var next = line + 1
    while true {
      let text = bytes[lines.range(next)].drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = text.first else { return next }
      let isComment =
        text.starts(with: Array("//".utf8)) || first == UInt8(ascii: "#")
        || text.starts(with: Array("<!--".utf8)) || first == 0x0a || first == UInt8(ascii: "@")
      guard isComment && first != UInt8(ascii: "@") else { return next }
      next += 1
    }
  }
}
