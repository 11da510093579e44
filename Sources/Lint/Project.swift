/// The verdicts of all files, and what they say together.
public struct Project: Sendable {
  private var own: [Finding] = []
  private var facts: [(String, ProjectFacts)] = []
  private var excuses: [String: Excuses] = [:]

  public init() {}

  /// Takes a verdict in.
  ///
  /// - Parameter isContext: whether the file only tells of the project, and is not itself judged.
  public mutating func add(_ verdict: Verdict, isContext: Bool = false) {
    var facts = verdict.facts
    if isContext {
      facts.uses = []
      facts.wrapped = []
      facts.biometry = []
    } else {
      own += verdict.findings
    }
    if !facts.isEmpty { self.facts.append((verdict.path, facts)) }
    if !verdict.excuses.rules.isEmpty { excuses[verdict.path] = verdict.excuses }
  }

  /// Whether other files of the project could add to what is found.
  public var needsContext: Bool {
    facts.contains { !$0.1.uses.isEmpty || !$0.1.wrapped.isEmpty || !$0.1.biometry.isEmpty }
  }

  /// Everything found, by path and line.
  public var findings: [Finding] {
    let judged = (wrapped + used + described).filter { !(excuses[$0.path]?.excuse($0) ?? false) }
    var seen: Set<String> = []
    return (own + judged).sorted {
      ($0.path, $0.line, $0.rule.name, $0.column) < ($1.path, $1.line, $1.rule.name, $1.column)
    }
    .filter { seen.insert("\($0.path):\($0.line):\($0.rule.name)").inserted }
  }

  private var wrapped: [Finding] {
    let wrappers = facts.reduce(into: Set<String>()) { $0.formUnion($1.1.wrappers) }
    return facts.flatMap { $0.1.wrapped }.filter { wrappers.contains($0.wrapper) }.map(\.finding)
  }

  private var used: [Finding] {
    let sinks = Dictionary(grouping: facts.flatMap { $0.1.sinks }, by: \.function)
    return facts.flatMap { $0.1.uses }.flatMap { use in
      (sinks[use.function] ?? []).compactMap(use.finding)
    }
  }

  /// Uses of biometry without a description, where there is code for Apple's systems.
  private var described: [Finding] {
    let uses = facts.flatMap { $0.1.biometry }
    guard !uses.isEmpty, facts.contains(where: { $0.1.targetsApple }),
      !facts.contains(where: { $0.1.describesUse })
    else { return [] }
    return uses
  }
}
