/// A yes or no of LocalAuthentication that alone stands before a secret.
extension SwiftJudge {
  mutating func judgeGates() {
    for call in file.calls where isGate(call) {
      guard let block = file.function(around: call.index) ?? file.blocks(around: call.index).first
      else { continue }
      let after = call.chain..<block.close
      let names = contextNames(call, in: block)
      if opensSecret(after, besides: call, names, 0) {
        report(.authenticationOnlyGate, at: call.chain)
      }
    }
  }

  private func isGate(_ call: Call) -> Bool {
    if call.name == "evaluatePolicy" { return true }
    let words = SecretName.words(call.name)
    let asks =
      words.first == "authenticate"
      || (words.contains { ["biometric", "biometrics", "biometry", "face", "touch"].contains($0) }
        && words.contains {
          ["authenticate", "evaluate", "verify", "check", "unlock", "prompt", "confirm"].contains(
            $0)
        })
    guard asks else { return false }
    // A question in a condition.
    let first = file.texts[file.start[call.chain]]
    let isQuestion = ["if", "guard"].contains(first)
    let isKnown =
      file.functions[call.name]?.contains { function in
        function.body.contains { file.texts[$0] == "evaluatePolicy" }
      } ?? true
    return isQuestion && isKnown
      && !call.arguments.contains { ["password", "token", "with"].contains($0.label) }
  }

  /// The names of the context that was asked.
  private func contextNames(_ call: Call, in block: Block) -> Set<String> {
    var names = Set(file.chainNames(call).dropLast())
    names.formUnion([
      "kSecUseAuthenticationContext", "kSecAttrAccessControl", "authContext",
      "authenticationContext", "laContext",
    ])
    return names.subtracting(["self", "biometrics", "BiometricAuth", "auth"])
  }

  private func opensSecret(
    _ range: Range<Int>, besides gate: Call, _ names: Set<String>, _ depth: Int
  ) -> Bool {
    for call in file.calls where range.contains(call.index) && call.index != gate.index {
      if call.name == "SecItemCopyMatching", let query = call.first {
        let words = QueryFacts(file, query: query).words
        if !words.contains("kSecUseAuthenticationContext") { return true }
        continue
      }
      let opened = isSecretRead(call)
      let isBound = (call.open..<call.close).contains { place in
        names.contains(file.texts[place]) || SecretName.words(file.texts[place]).last == "context"
      }
      if opened, !isBound { return true }
      if depth < 2, !isBound, let functions = file.functions[call.name],
        functions.contains(where: {
          !$0.body.contains(gate.index) && opensSecret($0.body, besides: gate, names, depth + 1)
        })
      {
        return true
      }
    }
    guard depth == 0 else { return false }
    return range.contains { place in
      place > gate.close && file.isWord(place) && SecretName.isSecret(file.texts[place])
        && isHandedOn(place)
    }
  }

  private func isSecretRead(_ call: Call) -> Bool {
    if SecretName.isSecretCall(call.name), SecretName.isReader(call.name) { return true }
    let names = file.chainNames(call).dropLast()
    guard
      names.contains(where: { name in
        SecretName.words(name).contains {
          ["keychain", "store", "vault", "storage", "secrets"].contains($0)
        }
      })
    else { return false }
    if SecretName.isSecretCall(call.name) { return true }
    return ["get", "string", "read", "value", "data", "load", "retrieve", "fetch"].contains(
      call.name)
  }

  /// A secret that is assigned, returned or passed, rather than set or declared.
  private func isHandedOn(_ index: Int) -> Bool {
    let (before, after) = (file.text(index - 1), file.text(index + 1))
    guard !["(", "="].contains(after), after != ":" || before == "?",
      !["let", "var", "case", "func"].contains(before)
    else { return false }
    guard file.kind(index + 1) != .mark || !["==", "!="].contains(after) else { return false }
    var first = index
    while file.text(first - 1) == ".", file.isWord(first - 2) { first -= 2 }
    guard file.text(first - 1) != "." else { return false }
    return ["=", "(", ",", ":", "?", "return"].contains(file.text(first - 1))
      || file.kind(first - 1) == .interpolationOpen
  }
}
