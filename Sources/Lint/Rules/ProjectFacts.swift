/// What one file says that is judged together with others.
public struct ProjectFacts: Sendable {
  /// Property wrappers over UserDefaults that the file declares.
  var wrappers: Set<String> = []
  var sinks: Set<DerivedSink> = []
  var uses: [PendingUse] = []
  var wrapped: [PendingWrapper] = []
  /// Uses of biometry that need a usage description.
  var biometry: [Finding] = []
  /// Whether the file is code for, or a description of, Apple's systems.
  var targetsApple = false
  /// Whether the file gives the description, or is where it is missing.
  var describesUse = false

  /// Whether there is nothing to judge later.
  var isEmpty: Bool {
    wrappers.isEmpty && sinks.isEmpty && uses.isEmpty && wrapped.isEmpty && biometry.isEmpty
      && !targetsApple && !describesUse
  }
}

/// A call with a secret among its arguments, of a function that may be declared elsewhere.
struct PendingUse: Sendable {
  let function: String
  let owners: Set<String>
  /// Names of secrets by the position of the argument that holds them.
  let values: [Int: String]
  let keys: [Int: String]
  /// The arguments that may be a secret for all that is seen.
  let holding: Set<Int>
  /// Where, for any rule.
  let finding: Finding

  func finding(_ sink: DerivedSink) -> Finding? {
    guard function == sink.function, owners.contains(sink.owner) else { return nil }
    let subject =
      values[sink.value]
      ?? sink.key.flatMap { holding.contains(sink.value) ? keys[$0] : nil }
    return subject.map { finding.with(sink.rule, $0) }
  }
}

/// A property named like a secret under a property wrapper that may be declared elsewhere.
struct PendingWrapper: Sendable {
  let wrapper: String
  let finding: Finding
}
