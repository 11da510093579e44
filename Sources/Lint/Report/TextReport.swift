/// Findings as people and editors read them: `path:line:column: error: …`.
public enum TextReport {
  public static func text(_ findings: [Finding]) -> String {
    findings.map { finding in
      "\(shown(finding.path)):\(finding.line):\(finding.column): error: \(shown(finding.message)) "
        + "[\(finding.rule.name)]\n    fix: \(finding.rule.fix)\n"
    }.joined()
  }

  /// The rules, each with what is wrong and what to do instead.
  public static var rules: String {
    Rule.allCases.map { "\($0.name)\n    \($0.problem)\n    fix: \($0.fix)\n" }.joined()
  }

  /// A name of the source or the disk, without what a terminal would obey.
  public static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
