/// Answers of the keychain that nobody looks at.
extension SwiftJudge {
  private static let answering: Set = [
    "SecItemAdd", "SecItemUpdate", "SecItemDelete", "SecItemCopyMatching", "SecRandomCopyBytes",
  ]

  mutating func judgeStatuses() {
    for call in file.calls where Self.answering.contains(call.name) && isIgnored(call) {
      report(.ignoredStatus, at: call.chain, call.name)
    }
  }

  private func isIgnored(_ call: Call) -> Bool {
    let first = file.start[call.chain]
    let around = file.enclosing[call.chain]
    guard around < 0 || file.texts[around] == "{" else { return false }
    let end = file.end(of: call.chain)
    guard end == call.close + 1 || file.text(call.close + 1) == ";" else { return false }
    if first == call.chain { return !isAnswer(first, call) }
    let before = (first..<call.chain).map { file.texts[$0] }
    if before == ["_", "="] || before == ["let", "_", "="] || before == ["var", "_", "="] {
      return true
    }
    guard before.last == "=" else { return false }
    let name = call.chain - 2
    // `let status: OSStatus = …` has its name further up.
    let isDeclared = before.first == "let" || before.first == "var"
    let named = isDeclared ? first + 1 : name
    guard file.isWord(named), file.text(named - 1) != "." else { return false }
    return !isUsed(named, after: call.close)
  }

  /// Whether the call is all of a block that answers with it.
  private func isAnswer(_ first: Int, _ call: Call) -> Bool {
    guard var block = file.blocks(around: call.chain).first else { return false }
    guard call.close + 1 == block.close else { return false }
    let isWhole = first == block.open + 1 || file.text(first - 1) == "in" || block.kind == .control
    guard isWhole else { return false }
    while block.kind == .control {
      guard let outer = file.blocks(around: block.open).first, block.keyword != "defer",
        block.header == outer.open + 1
      else { return false }
      block = outer
    }
    switch block.kind {
    case .closure: return !isProcedure(block)
    case .function:
      guard block.keyword == "func" else {
        return ["var", "get", "subscript"].contains(block.keyword)
      }
      return function(at: block.open + 1)?.returnsValue ?? false
    case .type, .control: return false
    }
  }

  /// Whether nobody takes what the closure answers.
  private func isProcedure(_ block: Block) -> Bool {
    var name = block.open - 1
    if file.isEnd(name) { name = file.partner[name] - 1 }
    return [
      "async", "asyncAfter", "perform", "forEach", "Task", "detached", "onDisappear", "onAppear",
      "Button", "task",
    ].contains(file.text(name))
  }

  /// Whether a name is read after a place, or anywhere before where it is only set again.
  private func isUsed(_ named: Int, after close: Int) -> Bool {
    let name = file.texts[named]
    // A property may be read anywhere.
    guard
      let binding = file.binding(name, at: close)
        ?? file.bindings[name]?.first(where: { $0.index == named })
    else { return true }
    guard file.function(around: binding.index)?.open == file.function(around: close)?.open else {
      return true
    }
    return binding.scope.contains { place in
      file.texts[place] == name && file.isWord(place) && place != binding.index && place != named
        && !(file.text(place + 1) == "=" && file.start[place] == place)
        && file.text(place - 1) != "."
    }
  }
}
