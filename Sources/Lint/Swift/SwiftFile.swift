/// Swift source as the rules read it: tokens that mean something, which bracket closes which, where
/// each statement begins, and what is declared.
struct SwiftFile {
  let path: String
  let bytes: [UInt8]
  let lines: LineTable
  let comments: [Token]
  let tokens: Total<Token>
  /// The text of each word, mark and bracket; empty for literals.
  let texts: Total<String>
  /// For an opening piece its end and for an end its beginning; itself where there is none.
  let partner: Total<Int>
  /// The innermost bracket that is open around a token; -1 at the top.
  let enclosing: Total<Int>
  /// Where the statement or element begins that a token is part of, inside its bracket.
  let start: Total<Int>
  private(set) var blocks: [Block] = []
  /// The block that a brace opens, by the brace's place.
  private(set) var blockAt: [Int: Int] = [:]
  private(set) var bindings: [String: [Binding]] = [:]
  private(set) var functions: [String: [Function]] = [:]
  private(set) var calls: [Call] = []
  /// Raw values and literals of named constants.
  private(set) var constants: [String: String] = [:]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    lines = LineTable(bytes)
    var builder = StructureBuilder(bytes)
    builder.run()
    comments = builder.comments
    tokens = Total(builder.tokens, none: Token(kind: .space, start: 0, end: 0))
    texts = Total(builder.texts, none: "")
    partner = Total(builder.partner, none: 0)
    enclosing = Total(builder.enclosing, none: -1)
    start = Total(builder.start, none: 0)
    blocks = BlockReader.blocks(self)
    for (index, block) in blocks.enumerated() { blockAt[block.open] = index }
    let declarations = DeclarationReader(self)
    bindings = Dictionary(grouping: declarations.bindings, by: \.name)
    functions = Dictionary(grouping: declarations.functions, by: \.name)
    constants = declarations.constants
    calls = CallReader.calls(self)
  }

  var count: Int { tokens.count }

  func text(_ index: Int) -> String { texts[index] }

  func kind(_ index: Int) -> Token.Kind? {
    index >= 0 && index < tokens.count ? tokens[index].kind : nil
  }

  func isWord(_ index: Int) -> Bool { kind(index) == .word }

  /// Whether nothing stands between a token and the one before.
  func touches(_ index: Int) -> Bool {
    index > 0 && tokens[index - 1].end == tokens[index].start
  }

  /// Whether a sign between two values has room on both sides, as an operator between them has.
  func isSpaced(_ index: Int) -> Bool {
    !touches(index) && index + 1 < count && !touches(index + 1)
  }

  func line(_ index: Int) -> Int { lines.line(tokens[index].start) }

  /// What a literal says, interpolations left out.
  func literal(_ open: Int) -> String {
    guard kind(open) == .stringOpen else { return "" }
    var text = ""
    var index = open + 1
    while index < partner[open] {
      if tokens[index].kind == .stringText {
        text += String(decoding: bytes[tokens[index].start..<tokens[index].end], as: UTF8.self)
      }
      index = kind(index) == .interpolationOpen ? partner[index] + 1 : index + 1
    }
    return text
  }

  func isPlainLiteral(_ open: Int) -> Bool {
    kind(open) == .stringOpen && partner[open] - open <= 2
  }

  /// The place after the last token of the statement or element that `index` is part of.
  func end(of index: Int) -> Int {
    let own = start[index]
    var place = index
    while place < count {
      if place > index, enclosing[place] == enclosing[index] {
        if start[place] != own { return place }
      }
      if isEnd(place) && partner[place] < index { return place }
      place = isOpen(place) ? max(partner[place], place) + 1 : place + 1
    }
    return count
  }

  func isOpen(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .open, .stringOpen, .interpolationOpen: partner[index] > index
    default: false
    }
  }

  func isEnd(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .close, .stringClose, .interpolationClose: true
    default: false
    }
  }

  /// The blocks around a token, the innermost first.
  func blocks(around index: Int) -> [Block] {
    var result: [Block] = []
    var place = enclosing[index]
    while place >= 0 {
      if let block = blockAt[place] { result.append(blocks[block]) }
      place = enclosing[place]
    }
    return result
  }

  /// The function, accessor or initializer around a token, closures in it included.
  func function(around index: Int) -> Block? {
    blocks(around: index).first { $0.kind == .function }
  }

  func type(around index: Int) -> Block? { blocks(around: index).first { $0.kind == .type } }

  /// The pieces of a range that stand between commas at its own level.
  func elements(_ range: Range<Int>) -> [Range<Int>] { split(range) { $0 == "," } }

  func split(_ range: Range<Int>, at isSeparator: (String) -> Bool) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var from = range.lowerBound
    var place = from
    while place < range.upperBound {
      if isOpen(place) {
        place = min(partner[place], range.upperBound - 1) + 1
        continue
      }
      if tokens[place].kind == .mark, isSeparator(texts[place]) {
        result.append(from..<place)
        from = place + 1
      }
      place += 1
    }
    if from < range.upperBound { result.append(from..<range.upperBound) }
    return result
  }
}
