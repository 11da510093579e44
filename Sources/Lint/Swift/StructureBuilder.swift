/// Finds brackets and statements in the tokens of a file.
struct StructureBuilder {
  private let bytes: [UInt8]
  private(set) var comments: [Token] = []
  private(set) var tokens: [Token] = []
  private(set) var texts: [String] = []
  private(set) var partner: [Int] = []
  private(set) var enclosing: [Int] = []
  private(set) var start: [Int] = []

  private struct Level {
    let open: Int
    var statement: Int
    /// Whether statements stand in it, rather than one expression.
    let hasStatements: Bool
  }

  private var levels = [Level(open: -1, statement: 0, hasStatements: true)]

  /// The compiler refuses deeper nesting; below it brackets are signs like others.
  private static let depth = 256

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() {
    var isNewLine = true
    let all = SwiftLexer.tokens(bytes)
    tokens.reserveCapacity(all.count / 2)
    for token in all {
      switch token.kind {
      case .newline: isNewLine = true
      case .space: break
      case .lineComment, .blockComment:
        comments.append(token)
        if token.kind == .blockComment, bytes[token.start..<token.end].contains(0x0a) {
          isNewLine = true
        }
      default:
        add(token, isNewLine)
        isNewLine = false
      }
    }
  }

  private mutating func add(_ token: Token, _ isNewLine: Bool) {
    let index = tokens.count
    tokens.append(token)
    texts.append(text(token))
    partner.append(index)
    let isEnd =
      token.kind == .close || token.kind == .stringClose || token.kind == .interpolationClose
    if isEnd { close(index, token) }
    let depth = levels.count - 1
    if beginsStatement(index, isNewLine, isEnd) { levels[depth].statement = index }
    enclosing.append(levels[depth].open)
    start.append(levels[depth].statement)
    if token.kind == .open || token.kind == .stringOpen || token.kind == .interpolationOpen {
      guard levels.count < Self.depth else { return }
      levels.append(
        Level(open: index, statement: index + 1, hasStatements: texts[index] == "{"))
    }
  }

  private func text(_ token: Token) -> String {
    switch token.kind {
    case .word:
      let isQuoted = bytes[token.start] == UInt8(ascii: "`")
      let range = isQuoted ? token.start + 1..<token.end - 1 : token.start..<token.end
      return String(decoding: bytes[range], as: UTF8.self)
    case .mark, .open, .close, .number:
      return String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    default: return ""
    }
  }

  /// Ends the level that the token closes, and those in it that were never closed.
  private mutating func close(_ index: Int, _ token: Token) {
    let match = levels.indices.dropFirst().last { level in
      let open = levels[level].open
      return switch (tokens[open].kind, token.kind) {
      case (.stringOpen, .stringClose), (.interpolationOpen, .interpolationClose): true
      case (.open, .close): Self.ends[texts[open]] == texts[index]
      default: false
      }
    }
    guard let match else { return }
    partner[index] = levels[match].open
    partner[levels[match].open] = index
    levels.removeSubrange(match...)
  }

  private static let ends = ["(": ")", "[": "]", "{": "}"]

  private func beginsStatement(_ index: Int, _ isNewLine: Bool, _ isEnd: Bool) -> Bool {
    let level = levels[levels.count - 1]
    guard index > level.statement, index > 0 else { return false }
    let before = texts[index - 1]
    // Elements of a list are apart as statements are.
    if !level.hasStatements { return before == "," && tokens[index - 1].kind == .mark }
    if isEnd { return false }
    let text = texts[index]
    switch before {
    case ";": return true
    case "in": return isNewLine || isClosureHead(index - 1, level)
    case ":":
      return isNewLine ? texts[level.statement] == "case" || isDefault(level) : isLabel(level)
    case "}" where isNewLine: return !Self.continuing.contains(text)
    default: break
    }
    guard isNewLine else { return before == "}" && Self.starters.contains(text) }
    if tokens[index].kind == .mark, !Self.prefixes.contains(text) { return false }
    if Self.continuing.contains(text) || Self.continued.contains(before) { return false }
    if isAttributes(level.statement..<index) { return false }
    if tokens[index - 1].kind == .mark, !Self.postfixes.contains(before) { return false }
    return !(text == "{" && Self.headed.contains(texts[level.statement]))
  }

  /// Whether the `in` ends the parameters of the closure it stands in.
  private func isClosureHead(_ index: Int, _ level: Level) -> Bool {
    level.open >= 0 && level.statement == level.open + 1 && texts[level.statement] != "for"
  }

  private func isDefault(_ level: Level) -> Bool {
    texts[level.statement] == "default" || texts[level.statement] == "@unknown"
  }

  private func isLabel(_ level: Level) -> Bool {
    isDefault(level) || texts[level.statement] == "case"
  }

  /// Whether a range is attributes alone, which belong to what follows on the next line.
  private func isAttributes(_ range: Range<Int>) -> Bool {
    var place = range.lowerBound
    while place < range.upperBound {
      guard texts[place].hasPrefix("@") else { return false }
      place += 1
      while place + 1 < range.upperBound, texts[place] == "." { place += 2 }
      if place < range.upperBound, texts[place] == "(" { place = partner[place] + 1 }
    }
    return true
  }

  private static let continuing: Set = ["else", "catch", "where", "??", "?", ":", "as", "is", "in"]
  private static let continued: Set = [
    "return", "try", "await", "throw", "in", "else", "where", "as", "is", "case", "let", "var",
    "func", "if", "guard", "while", "for", "switch", "import", "class", "struct", "enum",
  ]
  private static let prefixes: Set = ["!", "-", "&", "~", "\\"]
  private static let postfixes: Set = ["!", "?", ">"]
  /// What may follow the end of a block on its line as a statement of its own.
  private static let starters: Set = ["return", "let", "var", "if", "guard", "throw", "for"]
  private static let headed: Set = [
    "func", "class", "struct", "enum", "if", "guard", "for", "while", "switch", "extension",
  ]
}
