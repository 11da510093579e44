/// Variables of the environment that bring a secret's value along.
extension SwiftJudge {
  mutating func judgeEnvironment() {
    for call in file.calls {
      switch call.name {
      case "setenv", "putenv":
        if call.arguments.count > 1 {
          sink(
            .secretInEnvironment, value: call.arguments[1].value, key: call.arguments[0].value,
            at: call.chain)
        }
      case "getenv": fallback(call.close, call.open + 1..<call.close, at: call.chain)
      default: break
      }
    }
    for index in file.texts.indices where file.texts[index] == "[" && file.touches(index) {
      guard file.isOpen(index), isEnvironment(index - 1) else { continue }
      let key = index + 1..<file.partner[index]
      fallback(file.partner[index], key, at: index - 1)
      let after = file.partner[index] + 1
      if file.text(after) == "=" {
        sink(.secretInEnvironment, value: after + 1..<file.end(of: index), key: key, at: index - 1)
      }
    }
    environmentKeys()
  }

  private func isEnvironment(_ index: Int) -> Bool {
    guard file.isWord(index) else { return false }
    let name = file.texts[index]
    if ["environment", "env", "launchEnvironment"].contains(name) { return true }
    return file.binding(name, at: index)?.value.contains { file.texts[$0] == "environment" }
      ?? false
  }

  /// `environment["API_KEY"] ?? "sk_live"`
  private mutating func fallback(_ close: Int, _ key: Range<Int>, at index: Int) {
    // The lookup may be an argument of a conversion, or have members after it.
    var place = close + 1
    let end = file.end(of: index)
    while place < end, file.texts[place] != "??" {
      guard
        file.isOpen(place) || [".", "?", "!", ")"].contains(file.texts[place])
          || file.isWord(place),
        !["as", "else", "in"].contains(file.texts[place])
      else { return }
      place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
    }
    guard place < end, file.kind(place + 1) == .stringOpen,
      let found = SecretKey(file).secret(in: key),
      !Placeholder.isOne(file.literal(place + 1), of: name(found))
    else { return }
    report(.secretInEnvironment, at: index, name(found))
  }

  /// `static let defaultValue = "…"` of an environment key named like a secret, and `@Entry`.
  private mutating func environmentKeys() {
    for binding in file.bindings["defaultValue"] ?? [] {
      guard let type = file.type(around: binding.index), SecretName.isSecretKey(type.name),
        let first = binding.value.first, file.kind(first) == .stringOpen,
        !file.literal(first).isEmpty
      else { continue }
      report(.secretInEnvironment, at: binding.index, type.name)
    }
    for list in file.bindings.values {
      for binding in list where SecretName.isSecret(binding.name) {
        guard binding.header.contains(where: { file.texts[$0] == "@Entry" }),
          let first = binding.value.first, file.kind(first) == .stringOpen,
          !file.literal(first).isEmpty
        else { continue }
        report(.secretInEnvironment, at: binding.index, binding.name)
      }
    }
  }
}
