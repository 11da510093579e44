/// Judges files that hold data: a secret's name with a value that is written there.
struct DataJudge {
  let path: String
  let bytes: [UInt8]
  let lines: LineTable
  private(set) var findings: [Finding] = []
  var facts = ProjectFacts()
  private var reported: Set<Int> = []

  init(_ bytes: [UInt8], path: String) {
    self.path = path
    self.bytes = bytes
    lines = LineTable(bytes)
  }

  mutating func report(_ rule: Rule, at offset: Int, _ subject: String) {
    guard reported.insert(offset).inserted else { return }
    let finding = Finding(
      rule: rule, path: path, line: lines.line(offset), column: lines.column(offset, in: bytes),
      subject: subject)
    findings.append(finding)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// What describes a project: only whether it gives the usage description.
  static func project(_ bytes: [UInt8], path: String) -> DataJudge {
    var judge = DataJudge(bytes, path: path)
    judge.facts.targetsApple = true
    judge.facts.describesUse = judge.text(0..<bytes.count).contains("NSFaceIDUsageDescription")
    return judge
  }
}
