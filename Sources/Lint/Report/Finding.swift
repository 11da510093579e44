/// One thing refused, and where.
public struct Finding: Sendable, Equatable {
  public let rule: Rule
  public let path: String
  /// From 1.
  public let line: Int
  /// In code points, from 1.
  public let column: Int
  /// What the rule saw there: a name, never a value.
  public let subject: String

  /// The problem, with what it is about.
  public var message: String { subject.isEmpty ? rule.problem : "\(subject): \(rule.problem)" }
}

extension Finding {
  /// The same place under another rule.
  func with(_ rule: Rule, _ subject: String) -> Finding {
    Finding(rule: rule, path: path, line: line, column: column, subject: subject)
  }
}
