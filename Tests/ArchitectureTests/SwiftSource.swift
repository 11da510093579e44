import Foundation

/// A Swift file, as text and as code: the code has blanks where the text has comments and the
/// words of string literals, so that what is only spoken of is not found in it.
struct SwiftSource: Sendable {
  /// Below the top of the repository.
  let path: String
  let lines: [String]
  let code: [String]
  let imports: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.components(separatedBy: "\n")
    var blanking = Blanking(text)
    code = blanking.code().components(separatedBy: "\n")
    imports = code.compactMap { line in
      guard line.contains("import ") else { return nil }
      return line.prefixMatch(
        of: /(?:@\w+ )?(?:public |package |internal |private )?import (?:\w+ )?(\w+)/
      ).map { String($0.1) }
    }
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The folder below `Sources` or `Tests`, which is the target.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[1]) : ""
  }

  var isProduct: Bool { path.hasPrefix("Sources/") }

  /// The lines of the code that match, from 1.
  func matches(_ pattern: some RegexComponent) -> [Int] {
    // By Unicode's rules there is no boundary at the point of `bytes.withUnsafeBytes`.
    let pattern = pattern.regex.wordBoundaryKind(.simple)
    return code.indices.filter { code[$0].contains(pattern) }.map { $0 + 1 }
  }
}

/// Turns text into code of the same lines.
private struct Blanking {
  private let text: [UInt8]
  private var index = 0
  private var result: [UInt8] = []

  init(_ text: String) {
    self.text = Array(text.utf8)
  }

  mutating func code() -> String {
    while index < text.count { take() }
    return String(decoding: result, as: UTF8.self)
  }

  /// Up to the parenthesis that closes an interpolation, or to the end.
  private mutating func take() {
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "/") where follows("//"):
        while index < text.count, text[index] != UInt8(ascii: "\n") { blank() }
      case UInt8(ascii: "/") where follows("/*"): blankComment()
      case UInt8(ascii: "\""),
        UInt8(ascii: "#") where isString:
        blankString()
      case UInt8(ascii: ")") where depth == 0: return keep()
      case let byte:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        keep()
      }
    }
  }

  private var isString: Bool {
    text[index...].first { $0 != UInt8(ascii: "#") } == UInt8(ascii: "\"")
  }

  private func follows(_ word: String) -> Bool {
    text[index...].starts(with: word.utf8)
  }

  private mutating func keep() {
    result.append(text[index])
    index += 1
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where index < text.count {
      let isEnd = text[index] == UInt8(ascii: "\n")
      result.append(isEnd ? text[index] : UInt8(ascii: " "))
      index += 1
    }
  }

  private mutating func blankComment() {
    var depth = 0
    repeat {
      if follows("/*") {
        depth += 1
        blank(2)
      } else if follows("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && index < text.count
  }

  private mutating func blankString() {
    let marks = String(
      repeating: "#", count: text[index...].prefix { $0 == UInt8(ascii: "#") }.count)
    blank(marks.utf8.count)
    let quote = follows("\"\"\"") ? "\"\"\"" : "\""
    blank(quote.utf8.count)
    let (end, escape) = (quote + marks, "\\" + marks)
    while index < text.count, !follows(end) {
      if text[index] != UInt8(ascii: "\\") || !follows(escape) {
        blank()
      } else if follows(escape + "(") {
        blank(escape.utf8.count + 1)
        take()
      } else {
        blank(escape.utf8.count + 1)
      }
    }
    blank(end.utf8.count)
  }
}
