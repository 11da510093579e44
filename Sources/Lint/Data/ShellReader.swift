/// Reads a shell script as commands of words. What it cannot read, as a substitution within a word,
/// stays part of that word.
struct ShellReader {
  struct Word {
    /// Without quotes.
    var text = ""
    /// Variables that are expanded in it.
    var variables: [String] = []
    /// Literals after `:-` of an expansion, by the variable.
    var fallbacks: [(String, String)] = []
    /// Whether anything in it is expanded.
    var expands = false
    var isQuoted = false
    let offset: Int
  }

  struct Command {
    var words: [Word] = []
    /// What follows `>`, `>>` and `>&`.
    var targets: [String] = []
    var isPiped = false
    var document: Word?
  }

  private let bytes: [UInt8]
  private var index = 0
  private var commands: [Command] = []
  private var current = Command()
  /// Documents that begin after this line: their ends, and whether they expand.
  private var documents: [(String, Bool)] = []

  static func commands(_ bytes: [UInt8]) -> [Command] {
    var reader = ShellReader(bytes)
    reader.run()
    return reader.commands
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ offset: Int = 0) -> UInt8 {
    index + offset < bytes.count ? bytes[index + offset] : 0
  }

  private mutating func finish(isPiped: Bool = false) {
    current.isPiped = isPiped
    if !current.words.isEmpty || !current.targets.isEmpty { commands.append(current) }
    current = Command()
  }

  private mutating func run() {
    while index < bytes.count {
      switch byte() {
      case UInt8(ascii: "\n"):
        index += 1
        readDocuments()
        finish()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "\\") where byte(1) == 0x0a: index += 2
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: ")"):
        finish()
        index += 1
      case UInt8(ascii: "|"):
        let isOr = byte(1) == UInt8(ascii: "|")
        finish(isPiped: !isOr)
        index += isOr ? 2 : 1
      case UInt8(ascii: "&"):
        if byte(1) == UInt8(ascii: ">") {
          index += 1
        } else {
          finish()
          index += byte(1) == UInt8(ascii: "&") ? 2 : 1
        }
      case UInt8(ascii: ">"): redirect()
      case UInt8(ascii: "<"): input()
      default:
        let word = word()
        let isNumber =
          word.text.count == 1 && "012".contains(word.text) && byte() == UInt8(ascii: ">")
        if !isNumber { current.words.append(word) }
      }
    }
    finish()
  }

  private mutating func skipLine() {
    while index < bytes.count, byte() != 0x0a { index += 1 }
  }

  private mutating func skipSpace() {
    while byte() == 0x20 || byte() == 0x09 { index += 1 }
  }

  private mutating func redirect() {
    index += 1
    while [UInt8(ascii: ">"), UInt8(ascii: "|")].contains(byte()) { index += 1 }
    let isCopy = byte() == UInt8(ascii: "&")
    if isCopy { index += 1 }
    skipSpace()
    let start = index
    let target = word().text
    if index == start { index += 1 }
    current.targets.append((isCopy ? "&" : "") + target)
  }

  private mutating func input() {
    index += 1
    guard byte() == UInt8(ascii: "<"), byte(1) != UInt8(ascii: "<") else {
      while byte() == UInt8(ascii: "<") { index += 1 }
      skipSpace()
      if byte() != UInt8(ascii: "(") { _ = word() }
      current.isPiped = true
      return
    }
    index += 1
    if byte() == UInt8(ascii: "-") { index += 1 }
    skipSpace()
    let end = word()
    if !end.text.isEmpty { documents.append((end.text, !end.isQuoted)) }
  }

  private mutating func readDocuments() {
    for (end, expands) in documents {
      var body = Word(offset: index)
      while index < bytes.count {
        let start = index
        skipLine()
        let line = String(decoding: bytes[start..<index], as: UTF8.self)
        if index < bytes.count { index += 1 }
        if line.drop(while: { $0 == "\t" || $0 == " " }) == end { break }
        body.text += line + "\n"
      }
      if expands {
        var reader = ShellReader(Array(body.text.utf8))
        while reader.index < reader.bytes.count {
          if reader.byte() == UInt8(ascii: "$") {
            reader.expansion(&body)
          } else {
            reader.index += 1
          }
        }
      }
      current.document = body
    }
    documents = []
  }

  private static let ends = Set(" \t\r\n;|&<>()".utf8)

  private mutating func word() -> Word {
    var word = Word(offset: index)
    while index < bytes.count, !Self.ends.contains(byte()) {
      switch byte() {
      case UInt8(ascii: "\\"):
        index += 1
        take(&word)
      case UInt8(ascii: "'"):
        word.isQuoted = true
        index += 1
        while index < bytes.count, byte() != UInt8(ascii: "'") { take(&word) }
        index += 1
      case UInt8(ascii: "\""):
        word.isQuoted = true
        index += 1
        while index < bytes.count, byte() != UInt8(ascii: "\"") {
          if byte() == UInt8(ascii: "$") || byte() == UInt8(ascii: "`") {
            expansion(&word)
          } else {
            if byte() == UInt8(ascii: "\\") { index += 1 }
            take(&word)
          }
        }
        index += 1
      case UInt8(ascii: "$"), UInt8(ascii: "`"): expansion(&word)
      default: take(&word)
      }
    }
    index = min(index, bytes.count)
    return word
  }

  private mutating func take(_ word: inout Word) {
    guard index < bytes.count else { return }
    let start = index
    index += 1
    while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
    word.text += String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// `$NAME`, `${NAME:-value}`, `$(command)` and the older form with backticks.
  private mutating func expansion(_ word: inout Word) {
    let start = index
    let isQuote = byte() == UInt8(ascii: "`")
    index += 1
    switch byte() {
    case _ where isQuote:
      while index < bytes.count, byte() != UInt8(ascii: "`") { index += 1 }
      index += 1
      word.expands = true
    case UInt8(ascii: "{"):
      skipGroup(UInt8(ascii: "{"), UInt8(ascii: "}"))
      let inner = String(
        decoding: bytes[min(start + 2, index)..<max(index - 1, min(start + 2, index))],
        as: UTF8.self)
      let name = String(inner.drop { $0 == "!" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      let rest = inner.drop { $0 == "!" }.dropFirst(name.count)
      word.expands = true
      // `${NAME:+yes}` and `${#NAME}` do not show it.
      if !name.isEmpty, !rest.hasPrefix(":+"), !rest.hasPrefix("+") { word.variables.append(name) }
      for mark in [":-", "-", ":=", "="] where rest.hasPrefix(mark) {
        word.fallbacks.append((name, String(rest.dropFirst(mark.count))))
        break
      }
    case UInt8(ascii: "("):
      skipGroup(UInt8(ascii: "("), UInt8(ascii: ")"))
      word.expands = true
    default:
      while SwiftLexer.isWordByte(byte()), byte() < 0x80, index < bytes.count { index += 1 }
      if index > start + 1 {
        word.expands = true
        word.variables.append(String(decoding: bytes[start + 1..<index], as: UTF8.self))
      } else {
        word.text += "$"
      }
    }
    index = min(index, bytes.count)
  }

  private mutating func skipGroup(_ open: UInt8, _ close: UInt8) {
    var depth = 0
    while index < bytes.count {
      if byte() == open { depth += 1 }
      if byte() == close { depth -= 1 }
      index += 1
      if depth == 0 { return }
    }
  }
}
