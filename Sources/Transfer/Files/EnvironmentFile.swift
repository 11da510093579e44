import SecretMemory

/// The assignments of an env file: `NAME=value`, with `export` before it or not, the value plain or
/// in single or double quotes, which may hold lines. Nothing is expanded: what looks like `$NAME` is
/// taken as it stands.
public struct EnvironmentFile {
  public private(set) var assignments: [(name: [UInt8], value: SecretBytes)] = []
  private let text: SecretBytes
  private var index = 0
  private var line = 1

  public init(_ text: SecretBytes) throws(FileError) {
    self.text = text
    while index < text.count { try takeLine() }
  }

  private func at(_ index: Int) -> UInt8? {
    index < text.count ? text.withBytes { $0[index] } : nil
  }

  private mutating func skip(_ bytes: [UInt8]) {
    while let byte = at(index), bytes.contains(byte) { index += 1 }
  }

  private mutating func takeLine() throws(FileError) {
    let blanks = Array(" \t\r".utf8)
    skip(blanks)
    switch at(index) {
    case nil: return
    case UInt8(ascii: "\n"): break
    case UInt8(ascii: "#"): skipComment()
    default:
      var name = takeName()
      if name == Array("export".utf8), at(index) == UInt8(ascii: " ") {
        skip(blanks)
        name = takeName()
      }
      guard !name.isEmpty, at(index) == UInt8(ascii: "=") else { throw .malformed(line: line) }
      index += 1
      assignments.append((name, try takeValue()))
      skip(blanks)
      if at(index) == UInt8(ascii: "#") { skipComment() }
    }
    guard index >= text.count || at(index) == UInt8(ascii: "\n") else {
      throw .malformed(line: line)
    }
    index += 1
    line += 1
  }

  private mutating func skipComment() {
    while let byte = at(index), byte != UInt8(ascii: "\n") { index += 1 }
  }

  private mutating func takeName() -> [UInt8] {
    var name: [UInt8] = []
    while let byte = at(index), Self.isName(byte) {
      name.append(byte)
      index += 1
    }
    return name
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func takeValue() throws(FileError) -> SecretBytes {
    switch at(index) {
    case UInt8(ascii: "'"): return try takeQuoted(UInt8(ascii: "'"))
    case UInt8(ascii: "\""): return try takeQuoted(UInt8(ascii: "\""))
    default: break
    }
    let start = index
    var end = index
    while let byte = at(index), byte != UInt8(ascii: "\n") {
      // A comment begins after a blank only: a secret may hold the mark.
      if byte == UInt8(ascii: "#"), index > end { break }
      index += 1
      if !Array(" \t\r".utf8).contains(byte) { end = index }
    }
    return try SecretBytes.field(of: text, start..<end)
  }

  private mutating func takeQuoted(_ quote: UInt8) throws(FileError) -> SecretBytes {
    let escapes = quote == UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    let start = index + 1
    var count = 0
    index = start
    while let byte = at(index), byte != quote {
      if escapes, byte == backslash { index += 1 }
      if at(index) == UInt8(ascii: "\n") { line += 1 }
      index += 1
      count += 1
    }
    guard at(index) == quote else { throw .malformed(line: line) }
    index += 1
    let value = try SecretBytes.field(count)
    text.withBytes { text in
      value.withMutableBytes { value in
        var from = start
        for index in value.indices {
          let isEscape = escapes && text[from] == backslash
          value[index] = isEscape ? Self.meaning(text[from + 1]) : text[from]
          from += isEscape ? 2 : 1
        }
      }
    }
    return value
  }

  private static func meaning(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    default: byte
    }
  }
}
