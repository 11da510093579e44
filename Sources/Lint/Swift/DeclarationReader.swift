/// Collects what a file declares.
struct DeclarationReader {
  private let file: SwiftFile
  private(set) var bindings: [Binding] = []
  private(set) var functions: [Function] = []
  private(set) var constants: [String: String] = [:]

  init(_ file: SwiftFile) {
    self.file = file
    for index in file.texts.indices where file.isWord(index) && file.text(index - 1) != "." {
      switch file.texts[index] {
      case "let", "var": binding(index)
      case "for": loop(index)
      case "func", "init": function(index)
      case "case": enumCases(index)
      default: break
      }
    }
  }

  private func scope(_ index: Int) -> Range<Int> {
    let blocks = file.blocks(around: index)
    // What a condition binds is seen in the block that follows, or after a `guard`.
    if file.texts[file.start[index]] != "guard", file.texts[file.start[index]] != "let",
      file.texts[file.start[index]] != "var",
      let block = nextBlock(index)
    {
      return index..<block.close
    }
    return blocks.first.map(\.range) ?? 0..<file.count
  }

  private func nextBlock(_ index: Int) -> Block? {
    let first = file.texts[file.start[index]]
    guard ["if", "while", "for", "else", "case", "}", "catch", "do"].contains(first) else {
      return nil
    }
    var place = index
    let end = file.end(of: index)
    while place < end {
      if let block = file.blockAt[place] { return file.blocks[block] }
      place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
    }
    return nil
  }

  private mutating func binding(_ index: Int) {
    let name = index + 1
    if file.text(name) == "(" {
      for element in file.elements(name + 1..<file.partner[name]) where element.count == 1 {
        bindings.append(
          Binding(
            name: file.texts[element.lowerBound], index: element.lowerBound, kind: .pattern,
            scope: scope(index)))
      }
      return
    }
    guard file.isWord(name) else { return }
    let first = file.start[index]
    let isPattern = !isDeclaration(first, index)
    var binding = Binding(
      name: file.texts[name], index: name, kind: isPattern ? .pattern : .property,
      header: first..<name, scope: scope(index))
    var place = name + 1
    let end = file.end(of: index)
    if file.text(place) == ":" {
      let from = place + 1
      place = from
      while place < end, !["=", "{", ",", "else"].contains(file.texts[place]) {
        place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
      }
      binding.type = from..<place
    }
    if file.text(place) == "=" {
      let from = place + 1
      place = from
      while place < end, file.texts[place] != ",", file.texts[place] != "else" {
        if isPattern, file.texts[place] == "{", place > from, file.isOpen(place) { break }
        place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
      }
      binding.value = from..<place
    } else if file.text(place) == "{", place < end, !isPattern {
      binding.value = place + 1..<max(file.partner[place], place + 1)
      binding.isComputed = true
    }
    bindings.append(binding)
    if let literal = plainLiteral(binding.value) { constants[binding.name] = literal }
  }

  /// Whether only attributes and modifiers stand before the keyword.
  private func isDeclaration(_ first: Int, _ index: Int) -> Bool {
    var place = first
    while place < index {
      guard file.isWord(place),
        !["if", "guard", "while", "case", "for", "catch"].contains(file.texts[place])
      else { return false }
      place += 1
      if file.text(place) == "(", file.isOpen(place) { place = file.partner[place] + 1 }
      if file.text(place) == ".", file.isWord(place + 1) { place += 1 }
    }
    return true
  }

  private func plainLiteral(_ range: Range<Int>) -> String? {
    guard let first = range.first, file.isPlainLiteral(first),
      file.partner[first] == range.upperBound - 1
    else { return nil }
    return file.literal(first)
  }

  private mutating func loop(_ index: Int) {
    var name = index + 1
    while ["try", "await", "case", "let", "var"].contains(file.text(name)) { name += 1 }
    guard file.isWord(name), file.text(name + 1) == "in", let block = nextBlock(index) else {
      return
    }
    bindings.append(
      Binding(
        name: file.texts[name], index: name, kind: .loop,
        value: name + 2..<max(block.open, name + 2),
        scope: index..<block.close))
  }

  private mutating func function(_ index: Int) {
    let isInit = file.texts[index] == "init"
    guard isInit || file.isWord(index + 1) else { return }
    // `init(` of a call has a name or a point before it.
    guard
      !isInit || file.enclosing[index] < 0
        || file.type(around: index)?.open == file.enclosing[index]
    else { return }
    let end = file.end(of: index)
    var place = index + 1
    while place < end, file.texts[place] != "(" { place += 1 }
    guard place < end, file.isOpen(place) else { return }
    let parameters = file.elements(place + 1..<file.partner[place]).compactMap(parameter)
    place = file.partner[place] + 1
    var returns = false
    var body = 0..<0
    while place < end {
      if file.texts[place] == "->" { returns = !["Void", "()"].contains(file.text(place + 1)) }
      if let block = file.blockAt[place] {
        body = file.blocks[block].range
        break
      }
      place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
    }
    functions.append(
      Function(
        name: isInit ? "init" : file.texts[index + 1], index: index, header: file.start[index],
        parameters: parameters, returnsValue: returns, body: body,
        owner: file.type(around: index)?.name ?? ""))
    for parameter in parameters {
      bindings.append(
        Binding(
          name: parameter.name, index: index, kind: .parameter, type: parameter.type, scope: body))
    }
  }

  private func parameter(_ range: Range<Int>) -> Function.Parameter? {
    var from = range.lowerBound
    while file.text(from).hasPrefix("@") { from += 1 }
    guard let colon = range.first(where: { file.texts[$0] == ":" }), colon > from else {
      return nil
    }
    let label = file.texts[from]
    var end = colon
    while end < range.upperBound, file.texts[end] != "=" { end += 1 }
    return Function.Parameter(
      label: label == "_" ? "" : label, name: file.texts[colon - 1], type: colon + 1..<end)
  }

  /// `case name = "raw"` of an enumeration.
  private mutating func enumCases(_ index: Int) {
    guard let block = file.blockAt[file.enclosing[index]],
      file.blocks[block].keyword == "enum"
    else { return }
    for element in file.elements(index + 1..<file.end(of: index)) where element.count > 2 {
      let name = element.lowerBound
      if file.text(name + 1) == "=", let literal = plainLiteral(name + 2..<element.upperBound) {
        constants[file.texts[name]] = literal
      }
    }
  }
}
