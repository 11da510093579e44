/// Text for the man(7) macros.
enum Roff {
  /// Text that stands as it is, in and behind a macro: hyphens can be copied as the minus signs of
  /// options and keys, and nothing is taken for a request.
  static func text(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "“", "”", "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  /// A paragraph with a term before it.
  static func item(_ term: String, _ paragraphs: String...) -> String {
    ".TP\n.B \(text(term))\n" + paragraphs.map(text).joined(separator: "\n.br\n") + "\n"
  }
}
