/// Applies every rule to one Swift file.
struct SwiftJudge {
  let file: SwiftFile
  private(set) var findings: [Finding] = []
  /// What only the rest of the project can decide.
  var facts = ProjectFacts()
  /// Whether “token” is likely a piece of text here, as in a parser.
  let speaksOfText: Bool
  let mentions: Mentions
  private var reported: Set<Int> = []

  init(path: String, bytes: [UInt8]) {
    file = SwiftFile(path: path, bytes: bytes)
    mentions = Mentions(bytes)
    speaksOfText = mentions.secrets && file.texts.contains { Self.parsing.contains($0) }
  }

  private static let parsing: Set = [
    "Lexer", "lexer", "Tokenizer", "tokenizer", "tokenize", "TokenKind", "SwiftSyntax", "Parser",
    "NLTokenizer", "TokenSyntax", "tokenizing", "BPETokenizer", "nextToken",
    "Scanner", "scanner", "scanToken", "Grammar", "AST",
  ]

  mutating func judge() {
    judgeStores()
    judgeFiles()
    judgeDatabases()
    judgeEnvironment()
    judgeLogs()
    judgeErrors()
    judgeAnalytics()
    if mentions.secrets {
      judgeWrappers()
      judgeTokens()
    }
    if mentions.keychain {
      judgeQueries()
      judgeStatuses()
      judgePlaces()
    }
    if mentions.secrets || mentions.keychain { judgeGates() }
    judgeUsage()
  }

  /// Reports once for each rule and statement line.
  mutating func report(_ rule: Rule, at index: Int, _ subject: String = "") {
    let line = file.line(index)
    let place = line * Rule.allCases.count + (Rule.allCases.firstIndex(of: rule) ?? 0)
    guard reported.insert(place).inserted else { return }
    findings.append(
      Finding(
        rule: rule, path: file.path, line: line,
        column: file.lines.column(file.tokens[index].start, in: file.bytes), subject: subject))
  }

  /// Reports where a secret flows into the range.
  mutating func report(_ rule: Rule, ifSecretIn range: Range<Int>?, at index: Int) {
    guard let range, let found = SecretFlow(self).secret(in: range) else { return }
    report(rule, at: index, name(found))
  }

  /// What a finding calls the thing at a token.
  func name(_ index: Int) -> String {
    file.kind(index) == .stringOpen ? file.literal(index) : file.text(index)
  }
}
