/// What a keychain query says, gathered from where it is written: the dictionary itself, the names it
/// is built from, and the statements that add to it.
struct QueryFacts {
  private let file: SwiftFile
  private(set) var words: Set<String> = []
  /// Whether all of it is in this file, so that what is not there is missing.
  private(set) var isWhole = true
  private var visited: Set<Int> = []

  init(_ file: SwiftFile, query: Range<Int>) {
    self.file = file
    isWhole = isKnown(query, 0)
    gather(query, 0)
  }

  /// Whether the dictionary that an expression begins with is written in this file.
  private func isKnown(_ range: Range<Int>, _ depth: Int) -> Bool {
    guard
      let first = range.first(where: {
        !["try", "&", "(", "await", "return"].contains(file.texts[$0])
      }), depth < 6
    else { return false }
    if file.texts[first] == "[" { return true }
    guard file.isWord(first) else { return false }
    var root = first
    if ["self", "Self"].contains(file.texts[first]), file.text(first + 1) == "." {
      root = first + 2
    }
    // `Type.query(…)` of this file.
    while file.text(root + 1) == ".", file.isWord(root + 2),
      file.binding(file.texts[root], at: root) == nil
    { root += 2 }
    let name = file.texts[root]
    if let binding = file.binding(name, at: root) {
      if binding.kind == .parameter { return false }
      if binding.value.isEmpty { return !binding.type.isEmpty && binding.kind == .property }
      return binding.isComputed || isKnown(binding.value, depth + 1)
    }
    if let functions = file.functions[name], file.text(root + 1) == "(" {
      return functions.contains { !$0.body.isEmpty }
    }
    // `NSMutableDictionary()`, `Dictionary(uniqueKeysWithValues:)`, `[String: Any]()`.
    return ["NSMutableDictionary", "NSDictionary", "Dictionary", "CFDictionaryCreateMutable"]
      .contains(name)
  }

  private mutating func gather(_ range: Range<Int>, _ depth: Int) {
    guard depth < 6 else { return }
    for index in range where file.isWord(index) {
      let name = file.texts[index]
      if name.hasPrefix("kSec") || name.hasPrefix("errSec") || name.hasPrefix("SecItem") {
        words.insert(name)
        continue
      }
      if let binding = file.binding(name, at: index), visited.insert(binding.index).inserted {
        gather(binding.value, depth + 1)
        gather(binding.type, depth + 1)
        for statement in additions(binding) { gather(statement, depth + 1) }
      }
      if file.text(index + 1) == "(", let functions = file.functions[name] {
        for function in functions where visited.insert(function.index).inserted {
          gather(function.header..<function.body.upperBound, depth + 1)
        }
      }
    }
  }

  /// The statements that begin with the name, or hand it on to be changed.
  private func additions(_ binding: Binding) -> [Range<Int>] {
    binding.scope.compactMap { index in
      guard file.texts[index] == binding.name, index != binding.index else { return nil }
      let begins = file.start[index] == index
      let isPassed = file.text(index - 1) == "&"
      guard begins || isPassed else { return nil }
      let first = isPassed ? CallReader.chain(max(file.enclosing[index] - 1, 0), file) : index
      let end = file.end(of: first)
      return first < end ? first..<end : nil
    }
  }
}
