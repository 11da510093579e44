import Lint
import Linux

/// Judges many files on all processors, and counts.
struct Inspection: Sendable {
  private(set) var project = Project()
  private(set) var judged = 0
  private(set) var skipped = 0
  private(set) var failures: [LintFailure] = []

  /// How many files one task takes at a time.
  private static let batch = 32

  /// - Parameter place: where the project is looked for that the files belong to.
  static func of(_ sources: [Source], around place: [UInt8]) async -> Inspection {
    var inspection = Inspection()
    await inspection.judge(sources, isContext: false)
    if inspection.project.needsContext {
      let known = Set(sources.map(\.path))
      let context = ProjectFiles.around(place).filter { !known.contains($0) }
      await inspection.judge(context.map { Source(path: $0, content: .file) }, isContext: true)
    }
    return inspection
  }

  private mutating func judge(_ sources: [Source], isContext: Bool) async {
    var progress = Progress(total: sources.count)
    await withTaskGroup(of: [Source.Outcome].self) { group in
      for start in stride(from: 0, to: sources.count, by: Self.batch) {
        let part = sources[start..<min(start + Self.batch, sources.count)]
        group.addTask { part.map { $0.judge() } }
      }
      for await outcomes in group {
        for outcome in outcomes { take(outcome, isContext) }
        progress.advance(by: outcomes.count)
      }
    }
    progress.end()
  }

  private mutating func take(_ outcome: Source.Outcome, _ isContext: Bool) {
    switch outcome {
    case .judged(let verdict):
      project.add(verdict, isContext: isContext)
      if !isContext { judged += 1 }
    case .skipped: if !isContext { skipped += 1 }
    case .unread: break
    case .failed(let failure): if !isContext { failures.append(failure) }
    }
  }
}
