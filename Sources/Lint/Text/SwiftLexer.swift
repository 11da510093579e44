/// Takes Swift source apart into tokens, whatever the bytes: what is no Swift becomes tokens as
/// well. Nesting is kept on a list, so that no depth of it exhausts the stack.
public struct SwiftLexer {
  private enum Level {
    /// Code with so many open parentheses; of an interpolation, or of the file.
    case code(Int)
    case string(hashes: Int, isMultiline: Bool)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var levels: [Level] = [.code(0)]
  private var tokens: [Token] = []
  /// Whether a value ended just before, after which a slash divides.
  private var followsValue = false

  /// The tokens of the text, trivia included.
  public static func tokens(_ bytes: [UInt8]) -> [Token] {
    var lexer = SwiftLexer(bytes)
    while lexer.index < bytes.count { lexer.step() }
    while case .string = lexer.levels.last {
      lexer.levels.removeLast()
      lexer.add(.stringClose, to: bytes.count)
    }
    return lexer.tokens
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 3)
  }

  private mutating func step() {
    switch levels[levels.count - 1] {
    case .code(let parentheses): code(parentheses)
    case .string(let hashes, let isMultiline): string(hashes, isMultiline)
    }
  }

  private mutating func add(_ kind: Token.Kind, to end: Int) {
    tokens.append(Token(kind: kind, start: index, end: end))
    index = end
    switch kind {
    case .space, .newline, .lineComment, .blockComment: break
    case .word, .number, .close, .stringClose, .regex: followsValue = true
    default: followsValue = false
    }
  }

  private func byte(_ offset: Int) -> UInt8 {
    index + offset < bytes.count ? bytes[index + offset] : 0
  }

  private func end(from start: Int, while condition: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, condition(bytes[end]) { end += 1 }
    return end
  }

  private mutating func code(_ parentheses: Int) {
    let first = bytes[index]
    switch first {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0b, 0x0c, 0:
      add(
        .space,
        to: end(from: index) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0b || $0 == 0x0c || $0 == 0 })
    case UInt8(ascii: "\r"): add(.newline, to: index + (byte(1) == 0x0a ? 2 : 1))
    case UInt8(ascii: "\n"): add(.newline, to: index + 1)
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
      add(.lineComment, to: end(from: index) { $0 != 0x0a && $0 != 0x0d })
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): add(.blockComment, to: commentEnd())
    case UInt8(ascii: "/"):
      if !followsValue, let end = regexEnd() { add(.regex, to: end) } else { mark() }
    case UInt8(ascii: "\""): openString(hashes: 0)
    case UInt8(ascii: "#"): hash()
    case UInt8(ascii: "("):
      levels[levels.count - 1] = .code(parentheses + 1)
      add(.open, to: index + 1)
    case UInt8(ascii: ")"): closeParenthesis(parentheses)
    case UInt8(ascii: "["), UInt8(ascii: "{"): add(.open, to: index + 1)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): add(.close, to: index + 1)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): add(.number, to: numberEnd())
    case UInt8(ascii: "`"): quotedWord()
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      let end = end(from: index + 1, while: Self.isWordByte)
      add(end > index + 1 ? .word : .mark, to: end)
    case let byte where Self.isWordByte(byte): word()
    default: mark()
    }
  }

  private mutating func word() {
    let start = index
    add(.word, to: end(from: index, while: Self.isWordByte))
    // After these a value begins, so that a slash begins a pattern.
    if index - start < 8 {
      followsValue = !Self.openers.contains(Self.packed(bytes[start..<index]))
    }
  }

  /// Up to eight bytes as one number.
  private static func packed(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static let openers = Set(
    [
      "return", "in", "case", "if", "try", "await", "while", "else", "throw", "is", "as", "where",
    ].map { packed($0.utf8) })

  static func isWordByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private mutating func quotedWord() {
    let end = end(from: index + 1) { $0 != UInt8(ascii: "`") && $0 != 0x0a }
    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: "`")
    add(isClosed ? .word : .mark, to: isClosed ? end + 1 : index + 1)
  }

  private mutating func closeParenthesis(_ parentheses: Int) {
    if parentheses > 0 {
      levels[levels.count - 1] = .code(parentheses - 1)
      add(.close, to: index + 1)
    } else if levels.count > 1 {
      levels.removeLast()
      add(.interpolationClose, to: index + 1)
    } else {
      add(.close, to: index + 1)
    }
  }

  private func numberEnd() -> Int {
    let end = end(from: index, while: Self.isWordByte)
    // A fraction, but no member and no range.
    guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), bytes[end + 1] &- 0x30 < 10 else {
      return end
    }
    return self.end(from: end + 1, while: Self.isWordByte)
  }

  private func commentEnd() -> Int {
    var depth = 0
    var place = index
    while place < bytes.count {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      if bytes[place] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        depth += 1
        place += 2
      } else if bytes[place] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        place += 2
        if depth == 0 { return place }
      } else {
        place += 1
      }
    }
    return bytes.count
  }

  /// Where a pattern ends that begins with the slash here; nil where it is an operator.
  private func regexEnd() -> Int? {
    let next = byte(1)
    guard next != 0x20, next != 0x09, next != UInt8(ascii: ")"), next != UInt8(ascii: "=") else {
      return nil
    }
    var place = index + 1
    var isInSet = false
    while place < bytes.count, bytes[place] != 0x0a, bytes[place] != 0x0d {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "["): isInSet = true
      case UInt8(ascii: "]"): isInSet = false
      case UInt8(ascii: "/") where !isInSet: return place + 1
      default: break
      }
      place += 1
    }
    return nil
  }

  private mutating func hash() {
    let count = end(from: index) { $0 == UInt8(ascii: "#") } - index
    switch byte(count) {
    case UInt8(ascii: "\""): openString(hashes: count)
    case UInt8(ascii: "/"):
      let close = [UInt8(ascii: "/")] + [UInt8](repeating: UInt8(ascii: "#"), count: count)
      var place = index + count + 1
      while place < bytes.count, !bytes[place...].starts(with: close) { place += 1 }
      add(.regex, to: min(place + close.count, bytes.count))
    case UInt8(ascii: "!") where index == 0 && count == 1:
      add(.lineComment, to: end(from: index) { $0 != 0x0a })
    case let byte where count == 1 && Self.isWordByte(byte):
      add(.word, to: end(from: index + 1, while: Self.isWordByte))
      followsValue = false
    default: add(.mark, to: index + count)
    }
  }

  /// Operators of two or three signs that read as one.
  private mutating func mark() {
    let (first, second, third) = (byte(0), byte(1), byte(2))
    var count = 1
    switch (first, second) {
    case (UInt8(ascii: "-"), UInt8(ascii: ">")), (UInt8(ascii: "?"), UInt8(ascii: "?")),
      (UInt8(ascii: "&"), UInt8(ascii: "&")), (UInt8(ascii: "|"), UInt8(ascii: "|")),
      (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: ">"), UInt8(ascii: "=")),
      (UInt8(ascii: "+"), UInt8(ascii: "=")), (UInt8(ascii: "-"), UInt8(ascii: "=")),
      (UInt8(ascii: "~"), UInt8(ascii: "=")):
      count = 2
    case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "!"), UInt8(ascii: "=")):
      count = third == UInt8(ascii: "=") ? 3 : 2
    case (UInt8(ascii: "."), UInt8(ascii: ".")):
      count = third == UInt8(ascii: ".") || third == UInt8(ascii: "<") ? 3 : 2
    default: break
    }
    add(.mark, to: index + count)
    // `x!/2`: what is unwrapped is a value.
    if count == 1, first == UInt8(ascii: "!") || first == UInt8(ascii: "?") { followsValue = true }
  }

  private mutating func openString(hashes: Int) {
    let isMultiline =
      byte(hashes + 1) == UInt8(ascii: "\"") && byte(hashes + 2) == UInt8(ascii: "\"")
    levels.append(.string(hashes: hashes, isMultiline: isMultiline))
    add(.stringOpen, to: index + hashes + (isMultiline ? 3 : 1))
  }

  private mutating func string(_ hashes: Int, _ isMultiline: Bool) {
    var place = index
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        let quotes = isMultiline ? 3 : 1
        if closes(place, quotes, hashes) {
          if place > index { add(.stringText, to: place) }
          levels.removeLast()
          add(.stringClose, to: place + quotes + hashes)
          return
        }
        place += 1
      } else if byte == UInt8(ascii: "\\"), hasHashes(place + 1, hashes) {
        let next = place + 1 + hashes
        if next < bytes.count, bytes[next] == UInt8(ascii: "(") {
          if place > index { add(.stringText, to: place) }
          levels.append(.code(0))
          add(.interpolationOpen, to: next + 1)
          return
        }
        // An escaped sign, but never past a line that ends the literal.
        let isEnd = next < bytes.count && bytes[next] == 0x0a && !isMultiline
        place = min(isEnd ? next : next + 1, bytes.count)
      } else if byte == 0x0a, !isMultiline {
        break
      } else {
        place += 1
      }
    }
    if place > index { add(.stringText, to: place) }
    levels.removeLast()
    add(.stringClose, to: place)
  }

  private func hasHashes(_ place: Int, _ count: Int) -> Bool {
    place + count <= bytes.count
      && (place..<place + count).allSatisfy { bytes[$0] == UInt8(ascii: "#") }
  }

  private func closes(_ place: Int, _ quotes: Int, _ hashes: Int) -> Bool {
    guard place + quotes <= bytes.count else { return false }
    for offset in 0..<quotes where bytes[place + offset] != UInt8(ascii: "\"") { return false }
    return hasHashes(place + quotes, hashes)
  }
}
