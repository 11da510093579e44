/// What one file gives: findings, and what the rest of the project decides.
public struct Verdict: Sendable {
  public private(set) var findings: [Finding]
  let path: String
  let facts: ProjectFacts
  let excuses: Excuses

  init(path: String, findings: [Finding], facts: ProjectFacts, excuses: Excuses) {
    self.path = path
    self.facts = facts
    self.excuses = excuses
    self.findings =
      findings.filter { !excuses.excuse($0) }
      + excuses.faults.map {
        Finding(rule: .excuseWithoutReason, path: path, line: $0, column: 1, subject: "")
      }
  }

  /// Judges a file by its kind; nil where the kind is none that is read.
  public init?(_ bytes: [UInt8], path: String) {
    switch FileKind(path: path, bytes: bytes) {
    case .swift:
      var judge = SwiftJudge(path: path, bytes: bytes)
      judge.judge()
      let comments = judge.file.comments.map { $0.start..<$0.end }
      self.init(
        path: path, findings: judge.findings, facts: judge.facts,
        excuses: Excuses(bytes, judge.file.lines, comments: comments))
    case .json: self.init(DataJudge.json(bytes, path: path), bytes)
    case .propertyList: self.init(DataJudge.propertyList(bytes, path: path), bytes)
    case .environment: self.init(DataJudge.environment(bytes, path: path), bytes)
    case .shell: self.init(DataJudge.shell(bytes, path: path), bytes)
    case .project: self.init(DataJudge.project(bytes, path: path), bytes)
    case nil: return nil
    }
  }

  private init(_ judge: DataJudge, _ bytes: [UInt8]) {
    self.init(
      path: judge.path, findings: judge.findings, facts: judge.facts,
      excuses: Excuses(bytes, judge.lines))
  }
}
