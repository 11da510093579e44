/// A call, an initializer, or an attribute with arguments.
struct Call {
  struct Argument {
    /// Empty where there is none.
    let label: String
    let value: Range<Int>
  }

  /// The last name before the parenthesis.
  let name: String
  let index: Int
  /// The first token of the names and calls it is the last of.
  let chain: Int
  let open: Int
  let close: Int
  let arguments: [Argument]

  var range: Range<Int> { chain..<close + 1 }

  func argument(_ label: String) -> Range<Int>? { arguments.first { $0.label == label }?.value }

  /// The first argument without a label, as that of `print`.
  var first: Range<Int>? { arguments.first { $0.label.isEmpty }?.value }
}

/// Finds the calls of a file.
enum CallReader {
  private static let keywords: Set = [
    "if", "while", "for", "switch", "return", "guard", "in", "is", "as", "throw", "case", "let",
    "var", "try", "await", "catch", "where", "else", "func", "private", "fileprivate",
    "public", "internal", "package",
  ]

  static func calls(_ file: SwiftFile) -> [Call] {
    file.texts.indices.compactMap { index in
      file.texts[index] == "(" && file.kind(index) == .open && file.isOpen(index)
        ? call(index, file) : nil
    }
  }

  private static func call(_ open: Int, _ file: SwiftFile) -> Call? {
    var name = open - 1
    guard file.touches(open) else { return nil }
    if ["!", "?"].contains(file.text(name)) { name -= 1 }
    // `Box<Int>(…)`
    if file.text(name) == ">" {
      var depth = 0
      while name > 0 {
        if file.texts[name] == ">" { depth += 1 }
        if file.texts[name] == "<" { depth -= 1 }
        name -= 1
        if depth == 0 { break }
      }
    }
    guard file.isWord(name), !keywords.contains(file.texts[name]),
      file.text(name - 1) != "func", file.text(name - 1) != "macro"
    else { return nil }
    let arguments = file.elements(open + 1..<file.partner[open]).map { range in
      let isLabeled =
        file.isWord(range.lowerBound) && file.text(range.lowerBound + 1) == ":" && range.count > 2
      return Call.Argument(
        label: isLabeled ? file.texts[range.lowerBound] : "",
        value: isLabeled ? range.lowerBound + 2..<range.upperBound : range)
    }
    return Call(
      name: file.texts[name], index: name, chain: chain(name, file), open: open,
      close: file.partner[open], arguments: arguments)
  }

  /// The first token of `a.b(c)?.d` for any name of it.
  static func chain(_ index: Int, _ file: SwiftFile) -> Int {
    var place = index
    while file.text(place - 1) == ".", file.kind(place - 1) == .mark {
      var before = place - 2
      // A member without a base: `.failure(…)`.
      guard before >= 0,
        file.start[before] == file.start[place] || file.enclosing[before] != file.enclosing[place]
      else { return place - 1 }
      let isPostfix = ["!", "?"].contains(file.text(before))
      if isPostfix { before -= 1 }
      guard before >= 0 else { return place - 1 }
      guard file.isWord(before) || file.isEnd(before) || file.kind(before) == .number,
        isPostfix || file.tokens[before].end <= file.tokens[place - 1].start
      else { return place - 1 }
      if file.isWord(before), keywords.contains(file.texts[before]) { return place - 1 }
      // Several groups may follow one name: `f(x)[0]`.
      while before >= 0, file.isEnd(before), file.partner[before] < before {
        let open = file.partner[before]
        guard open > 0, file.touches(open) || file.texts[open] == "{",
          file.isWord(open - 1) || file.isEnd(open - 1)
            || ["!", "?", ">"].contains(file.text(open - 1)),
          !keywords.contains(file.text(open - 1)), file.kind(open) != .stringOpen
        else { return open }
        before = open - 1
        if ["!", "?"].contains(file.text(before)) { before -= 1 }
        guard before >= 0 else { return open }
      }
      guard file.isWord(before) else { return max(before, 0) }
      place = before
    }
    return place
  }
}
