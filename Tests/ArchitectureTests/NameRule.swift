/// A file is named after what it declares: `Epoll.swift` a type, `Vault+Looking.swift` an extension
/// of a type, `Add.swift` among the commands that command.
enum NameRule {
  static func problems(_ source: SwiftSource) -> [String] {
    let name = String(source.name.dropLast(".swift".count))
    // Apple's functions and constants stand together by their subject.
    if UnsafeRule.facades.contains(source.target) { return [] }
    // Entry points declare nothing, and a module's own file may only pass on what others declare.
    if name == "main" || name == source.target { return [] }
    let words = name.split(separator: "+", maxSplits: 1)
    let code = source.code.joined(separator: "\n")
    guard let first = words.first else { return ["\(source.path): no name"] }
    let isRight =
      if words.count == 2 {
        extended(code).contains(String(first))
      } else if source.path.contains("/Commands/") {
        code.contains("extension Command {")
      } else {
        extended(code).contains(name)
          || declared(code).contains { $0 == name || $0 == function(name) }
      }
    return isRight ? [] : ["\(source.path): declares nothing of its name"]
  }

  /// `displayText` of `DisplayText`.
  private static func function(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  private static func declared(_ code: String) -> [String] {
    code.matches(of: /\b(?:class|struct|enum|protocol|actor|typealias|func) (\w+)/).map {
      String($0.1)
    }
  }

  private static func extended(_ code: String) -> [String] {
    code.matches(of: /\bextension (?:\w+\.)?\[?(\w+)/).map { String($0.1) }
  }
}
