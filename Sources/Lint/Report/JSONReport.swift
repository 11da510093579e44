/// Findings as JSON: `{"findings": […], "files": 3, "skipped": 0}`.
public enum JSONReport {
  /// - Parameters:
  ///   - files: how many were judged.
  ///   - skipped: how many were too large, or no text.
  public static func text(_ findings: [Finding], files: Int, skipped: Int) -> String {
    JSONText.object([
      ("findings", .list(findings.map(json))), ("files", .number(files)),
      ("skipped", .number(skipped)),
    ]).encoded
  }

  private static func json(_ finding: Finding) -> JSONText {
    .object([
      ("rule", .text(finding.rule.name)), ("path", .text(finding.path)),
      ("line", .number(finding.line)), ("column", .number(finding.column)),
      ("message", .text(finding.message)), ("fix", .text(finding.rule.fix)),
    ])
  }
}
