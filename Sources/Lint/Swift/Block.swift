/// What stands between a brace and its end.
struct Block {
  enum Kind {
    case type
    /// A function, initializer, accessor, or computed property.
    case function
    case control, closure
  }

  let kind: Kind
  /// The first token of the declaration or statement it belongs to.
  let header: Int
  let open: Int
  let close: Int
  /// Of a type, function or property; empty otherwise.
  var name = ""
  /// The word that makes it what it is: `class`, `func`, `var`, `set`, `if`.
  var keyword = ""

  var range: Range<Int> { open + 1..<close }

  func contains(_ index: Int) -> Bool { index > open && index < close }
}

/// Says of each brace what it opens.
enum BlockReader {
  private static let types: Set = ["class", "struct", "enum", "actor", "extension", "protocol"]
  private static let functions: Set = ["func", "init", "deinit", "subscript"]
  private static let accessors: Set = [
    "get", "set", "willSet", "didSet", "_modify", "_read", "async", "mutating", "nonmutating",
  ]
  private static let controls: Set = [
    "if", "else", "guard", "for", "while", "repeat", "switch", "do", "catch", "defer", "}",
  ]

  static func blocks(_ file: SwiftFile) -> [Block] {
    file.texts.indices.compactMap { index in
      file.texts[index] == "{" && file.kind(index) == .open && file.isOpen(index)
        ? block(index, file) : nil
    }
  }

  private static func block(_ open: Int, _ file: SwiftFile) -> Block {
    let header = file.start[open]
    var block = Block(kind: .closure, header: header, open: open, close: file.partner[open])
    // Braces in a list, a call or an interpolation are closures, whatever stands before the list.
    let around = file.enclosing[open]
    guard around < 0 || file.texts[around] == "{" else { return block }
    // A label of a loop.
    let isLabeled = file.text(header + 1) == ":" && file.isWord(header)
    let first = isLabeled ? header + 2 : header
    var place = first
    var property: String?
    while place < open {
      let text = file.texts[place]
      if file.isOpen(place) {
        // An earlier block of the same statement, as that of `if` before `else`.
        place = file.partner[place] + 1
        continue
      }
      if file.isWord(place), file.text(place - 1) != "." {
        if types.contains(text), file.isWord(place + 1), !functions.contains(file.text(place + 1)),
          file.text(place + 1) != "var", file.text(place + 1) != "let"
        {
          return named(block, .type, text, typeName(place + 1, open, file))
        }
        if functions.contains(text) {
          return named(block, .function, text, text == "func" ? file.text(place + 1) : text)
        }
        if text == "var" { property = file.text(place + 1) }
        if property == nil, controls.contains(text) { return named(block, .control, text, "") }
      }
      if text == "=" { property = nil }
      if text == "=", file.text(first) == "var" || file.text(first) == "let" { return block }
      place += 1
    }
    if let property { return named(block, .function, "var", property) }
    if accessors.contains(file.text(first)), open - first <= 5, around >= 0 {
      return named(block, .function, file.text(first), "")
    }
    if controls.contains(file.text(first)) { block = named(block, .control, file.text(first), "") }
    // `{ … }` after a whole block of control: `else`.
    return block
  }

  private static func named(_ block: Block, _ kind: Block.Kind, _ keyword: String, _ name: String)
    -> Block
  {
    Block(
      kind: kind, header: block.header, open: block.open, close: block.close, name: name,
      keyword: keyword)
  }

  /// `Inner` of `extension Outer.Inner`.
  private static func typeName(_ index: Int, _ open: Int, _ file: SwiftFile) -> String {
    var place = index
    while place + 2 < open, file.text(place + 1) == "." { place += 2 }
    return file.text(place)
  }
}
