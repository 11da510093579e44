/// Tells whether the value of an expression is or holds a secret.
struct SecretFlow {
  let file: SwiftFile
  let speaksOfText: Bool
  /// Whether what a log marks as private stays private.
  private let respectsPrivacy: Bool

  init(_ judge: SwiftJudge, respectsPrivacy: Bool = true) {
    file = judge.file
    speaksOfText = judge.speaksOfText
    self.respectsPrivacy = respectsPrivacy
  }

  private static let comparisons: Set = [
    "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=",
  ]
  private static let leading: Set = ["try", "await", "&", "-", "inout", "return", "!"]

  /// - Returns: the token that names the secret; nil when there is none.
  func secret(in range: Range<Int>, depth: Int = 0) -> Int? {
    var range = range
    while let first = range.first, Self.leading.contains(file.texts[first]) || isMark(first) {
      // What is negated is an answer.
      if file.texts[first] == "!" { return nil }
      range = first + 1..<range.upperBound
    }
    guard !range.isEmpty, depth < 8 else { return nil }
    if let parts = ternary(range) {
      return secret(in: parts.0, depth: depth + 1) ?? secret(in: parts.1, depth: depth + 1)
    }
    let isAnswer = file.split(range) { _ in false }.contains { whole in
      top(whole).contains { isComparison($0) }
    }
    if isAnswer { return nil }
    for part in file.split(range, at: { $0 == "??" || $0 == "+" || $0 == "," }) {
      if let found = operand(part, depth) { return found }
    }
    return nil
  }

  /// `try?` and `try!` leave their mark behind.
  private func isMark(_ index: Int) -> Bool {
    ["?", "!"].contains(file.texts[index]) && file.text(index - 1) == "try"
  }

  func isComparison(_ index: Int) -> Bool {
    if file.isWord(index) { return file.texts[index] == "is" }
    guard Self.comparisons.contains(file.texts[index]) else { return false }
    return file.isSpaced(index) || file.texts[index].utf8.count > 1
  }

  /// The tokens of a range at its own level.
  func top(_ range: Range<Int>) -> [Int] {
    var result: [Int] = []
    var place = range.lowerBound
    while place < range.upperBound {
      result.append(place)
      place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
    }
    return result
  }

  func ternary(_ range: Range<Int>) -> (Range<Int>, Range<Int>)? {
    let top = top(range)
    guard let question = top.first(where: { file.texts[$0] == "?" && file.isSpaced($0) }),
      let colon = top.first(where: { $0 > question && file.texts[$0] == ":" })
    else { return nil }
    return (question + 1..<colon, colon + 1..<range.upperBound)
  }

  private func operand(_ range: Range<Int>, _ depth: Int) -> Int? {
    var range = range
    while let first = range.first, ["try", "await"].contains(file.texts[first]) || isMark(first) {
      range = first + 1..<range.upperBound
    }
    guard let first = range.first else { return nil }
    if let cast = top(range).first(where: { file.isWord($0) && file.texts[$0] == "as" }) {
      range = first..<cast
    }
    switch file.tokens[first].kind {
    case .stringOpen:
      let end = file.partner[first]
      return end == range.upperBound - 1
        ? literal(first, depth) : chain(first, range.upperBound, depth)
    case .word: return chain(first, range.upperBound, depth)
    case .open where file.texts[first] != "{": return chain(first, range.upperBound, depth)
    // A member without a base, as `.some(token)`.
    case .mark where file.texts[first] == "." && file.isWord(first + 1):
      let open = first + 2
      let isCase =
        file.texts[open] == "(" && file.isOpen(open) && file.partner[open] == range.upperBound - 1
      return isCase && !SecretName.hides(file.texts[first + 1])
        ? arguments(open + 1..<file.partner[open], depth)
        : chain(first + 1, range.upperBound, depth)
    default: return nil
    }
  }

  // MARK: - Literals

  /// What is interpolated into a text.
  func literal(_ open: Int, _ depth: Int = 0) -> Int? {
    var place = open + 1
    while place < file.partner[open] {
      guard file.kind(place) == .interpolationOpen else {
        place += 1
        continue
      }
      let end = file.partner[place]
      let arguments = file.elements(place + 1..<end)
      if let value = arguments.first, !(respectsPrivacy && isPrivate(arguments.dropFirst())) {
        if let found = secret(in: value, depth: depth + 1) { return found }
        if isLabeled(place, value) { return value.lowerBound }
      }
      place = max(end, place) + 1
    }
    return nil
  }

  /// `privacy: .private` and what is stricter.
  private func isPrivate(_ arguments: some Sequence<Range<Int>>) -> Bool {
    arguments.contains { argument in
      file.texts[argument.lowerBound] == "privacy"
        && argument.contains { ["private", "sensitive"].contains(file.texts[$0]) }
    }
  }

  /// `"token: \(value)"` and `"Bearer \(value)"`: the text right before names what follows.
  private func isLabeled(_ open: Int, _ value: Range<Int>) -> Bool {
    guard file.kind(open - 1) == .stringText, isUnnamed(value) else { return false }
    let token = file.tokens[open - 1]
    let text = String(decoding: file.bytes[token.start..<token.end], as: UTF8.self)
    if text.hasSuffix("Bearer ") { return true }
    let trimmed = text.trimmed(" '\"<[(")
    guard trimmed.hasSuffix(":") || trimmed.hasSuffix("=") else { return false }
    let label = trimmed.lastPiece(",;&?|.!({[\n:=")
    if speaksOfText, SecretName.words(label) == ["token"] { return false }
    return label.split(separator: " ").count <= 3 && SecretName.isSecret(label)
  }

  /// A name that says nothing about what it holds.
  private func isUnnamed(_ value: Range<Int>) -> Bool {
    let top = top(value)
    guard
      top.allSatisfy({
        file.isWord($0) || file.texts[$0] == "." || file.texts[$0] == "?" || file.texts[$0] == "!"
      })
    else { return false }
    guard let last = top.last(where: { file.isWord($0) }) else { return false }
    let words = SecretName.words(file.texts[last])
    return words.last.map { Self.opaque.contains($0) } ?? false
  }

  private static let opaque: Set = [
    "value", "string", "t", "s", "v", "x", "text", "data", "raw", "new", "stored", "saved", "it",
    "result", "str", "self", "input",
  ]
}
