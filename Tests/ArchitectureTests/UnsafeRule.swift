/// `unsafe` stands in the wrapper targets alone, and everywhere with a `// SAFETY:` comment that
/// says why it holds.
enum UnsafeRule {
  static let wrappers: Set = [
    "Linux", "SecretMemory", "Crypto", "SQLite", "Systemd", "PAM", "Fprint", "NameService",
    "EllipticCurve", "StartUp", "SecretService", "PAMWhorl",
  ]
  /// Targets with Apple's names, whose signatures have pointers and whose constants are objects.
  static let facades: Set = ["Security", "LocalAuthentication"]

  static func problems(_ source: SwiftSource) -> [String] {
    let words =
      /\bunsafe\b|@unsafe\b|\b[Uu]nsafe[A-Z]\w*|\bwithUnsafe\w*|\bUnmanaged\b|\bOpaquePointer\b/
    guard wrappers.union(facades).contains(source.target) else {
      return source.matches(words).map { "\(source.path):\($0): unsafe outside a wrapper" }
    }
    // `@unsafe` declares what its callers must explain.
    return source.matches(/(?:^|[^@\w])unsafe\b/).filter {
      !isConstant($0 - 1, source) && !isExplained($0 - 1, source)
    }.map {
      "\(source.path):\($0): unsafe without a SAFETY comment"
    }
  }

  /// Objects that nothing changes, as the constants of a facade are.
  private static func isConstant(_ line: Int, _ source: SwiftSource) -> Bool {
    facades.contains(source.target)
      && source.code[line].contains(/(^public nonisolated\(unsafe\) let )/)
  }

  /// Whether a comment stands in the declaration that the line is part of, or right above it.
  private static func isExplained(_ line: Int, _ source: SwiftSource) -> Bool {
    let start = declaration(around: line, source)
    let depth = indent(source.lines[start])
    let rest = source.lines[line...].dropFirst()
    let end = rest.firstIndex { indent($0) <= depth && $0.contains(/^ *\}/) } ?? line
    let above = source.lines[..<start].reversed().prefix { $0.contains(/^ *\/\//) }
    let isOneLine = start == line && !source.lines[line].hasSuffix("{")
    let own = isOneLine ? source.lines[line...line] : source.lines[start...end]
    return (above + own).contains { $0.contains("// SAFETY:") }
  }

  private static func declaration(around line: Int, _ source: SwiftSource) -> Int {
    var depth = Int.max
    for index in (0...line).reversed() {
      let text = source.lines[index]
      // A parenthesis or bracket at the front closes a list that began further up.
      guard indent(text) < depth, text.contains(/^ *[^ )\]]/) else { continue }
      depth = indent(text)
      if isDeclaration(source.code[index]) { return index }
    }
    return line
  }

  /// A function or another member with a body of its own, or a stored property of a type.
  private static func isDeclaration(_ code: String) -> Bool {
    code.contains(/^\s*(\}|[\w@()]+\s)*?(func\b|init[?(<]|deinit\b|subscript\b)/)
      || code.contains(/^\s*(public |private |internal |static |@\w+ )+(var|let)\b/)
      || code.contains(/^ {0,2}(var|let)\b/)
  }

  private static func indent(_ text: String) -> Int {
    text.prefix { $0 == " " }.count
  }
}
