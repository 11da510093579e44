/// Findings as SARIF 2.1.0, which code hosts and editors take.
public enum SARIFReport {
  public static func text(_ findings: [Finding], version: String) -> String {
    JSONText.object([
      ("$schema", .text("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .text("2.1.0")),
      (
        "runs",
        .list([
          .object([
            ("tool", .object([("driver", driver(version))])),
            ("columnKind", .text("unicodeCodePoints")),
            ("results", .list(findings.map(result))),
          ])
        ])
      ),
    ]).encoded
  }

  private static func driver(_ version: String) -> JSONText {
    .object([
      ("name", .text("whorl lint")), ("version", .text(version)),
      (
        "rules",
        .list(
          Rule.allCases.map { rule in
            .object([
              ("id", .text(rule.name)), ("shortDescription", message(rule.problem)),
              ("help", message(rule.fix)),
              ("defaultConfiguration", .object([("level", .text("error"))])),
            ])
          })
      ),
    ])
  }

  private static func message(_ text: String) -> JSONText { .object([("text", .text(text))]) }

  private static func result(_ finding: Finding) -> JSONText {
    .object([
      ("ruleId", .text(finding.rule.name)),
      ("ruleIndex", .number(Rule.allCases.firstIndex(of: finding.rule) ?? 0)),
      ("level", .text("error")),
      ("message", message("\(finding.message). Fix: \(finding.rule.fix).")),
      (
        "locations",
        .list([
          .object([
            (
              "physicalLocation",
              .object([
                ("artifactLocation", .object([("uri", .text(uri(finding.path)))])),
                (
                  "region",
                  .object([
                    ("startLine", .number(finding.line)), ("startColumn", .number(finding.column)),
                  ])
                ),
              ])
            )
          ])
        ])
      ),
    ])
  }

  /// The path as a reference of RFC 3986.
  private static func uri(_ path: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let encoded = path.utf8.map { byte -> String in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
