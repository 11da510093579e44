extension SwiftJudge {
  /// Judges a place where no secret may go: by what goes there, by the name it gets there, and for
  /// a function's parameter by noting the function.
  mutating func sink(_ rule: Rule, value: Range<Int>?, key: Range<Int>? = nil, at index: Int) {
    guard let value else { return }
    guard mentions.secrets else { return derive(rule, value: value, key: key, at: index) }
    if let found = SecretFlow(self).secret(in: value), !isNamedHarmless(found, key) {
      return report(rule, at: index, name(found))
    }
    if let key, let found = SecretKey(file).secret(in: key), mayHoldSecret(value) {
      return report(rule, at: index, name(found))
    }
    derive(rule, value: value, key: key, at: index)
  }

  /// Whether a bare `token` is kept under the name of one that opens nothing.
  private func isNamedHarmless(_ found: Int, _ key: Range<Int>?) -> Bool {
    guard let key, file.text(found) == "token" else { return false }
    return key.contains { place in
      SecretName.isHarmlessToken(name(place))
    }
  }

  /// Whether what is kept under a secret's name may be the secret: not an answer, a number or nothing.
  func mayHoldSecret(_ value: Range<Int>) -> Bool {
    guard let first = value.first else { return false }
    if file.kind(first) == .stringOpen {
      return !file.literal(first).isEmpty || !file.isPlainLiteral(first)
    }
    if file.texts[first] == "[" {
      return value.contains { file.isWord($0) || file.kind($0) == .stringOpen }
    }
    if let hiding = value.first(where: { file.isWord($0) && file.text($0 + 1) == "(" }),
      SecretName.hides(file.texts[hiding])
    {
      return false
    }
    if value.count == 1, let binding = file.binding(file.texts[first], at: first),
      let type = binding.type.first(where: { file.isWord($0) }),
      ["Bool", "Int", "Date", "Double", "TimeInterval"].contains(file.texts[type])
    {
      return false
    }
    if value.count == 1, let binding = file.binding(file.texts[first], at: first),
      binding.value.contains(where: { file.isWord($0) && SecretName.hides(file.texts[$0]) })
    {
      return false
    }
    return SecretFlow(self).holdsValue(value)
  }

  private mutating func derive(_ rule: Rule, value: Range<Int>, key: Range<Int>?, at index: Int) {
    let type = file.type(around: index)
    if value.contains(where: { file.texts[$0] == "newValue" }), let type,
      isPropertyWrapper(type)
    {
      facts.wrappers.insert(type.name)
      return
    }
    guard let function = function(at: index),
      let place = function.parameters.firstIndex(where: { mentions($0.name, in: value) })
    else { return }
    let keyPlace = key.flatMap { key in
      function.parameters.firstIndex { mentions($0.name, in: key) }
    }
    facts.sinks.insert(
      DerivedSink(
        rule: rule, function: function.name, owner: function.owner, value: place, key: keyPlace))
  }

  /// The named function whose body a token is in.
  func function(at index: Int) -> Function? {
    guard let block = file.function(around: index) else { return nil }
    return file.functions[block.name]?.first { $0.body.lowerBound == block.open + 1 }
  }

  func isPropertyWrapper(_ type: Block) -> Bool {
    (type.header..<type.open).contains { file.texts[$0] == "@propertyWrapper" }
  }

  private func mentions(_ name: String, in range: Range<Int>) -> Bool {
    var place = range.lowerBound
    while place < range.upperBound {
      if file.texts[place] == name, file.isWord(place), file.text(place - 1) != "." { return true }
      // What hides its argument passes nothing on.
      if file.isWord(place), SecretName.hides(file.texts[place]), file.text(place + 1) == "(" {
        return false
      }
      place += 1
    }
    return false
  }

  /// Judges calls of functions that pass a parameter on, and uses of property wrappers: those of
  /// this file here, the rest when the whole project is known.
  mutating func judgeWrappers() {
    for call in file.calls {
      if call.name.hasPrefix("@") || call.arguments.isEmpty { continue }
      let flow = SecretFlow(self)
      let values = call.arguments.enumerated().compactMap { place, argument in
        flow.secret(in: argument.value).map { (place, name($0)) }
      }
      let keys = call.arguments.enumerated().compactMap { place, argument in
        SecretKey(file).secret(in: argument.value).map { (place, name($0)) }
      }
      guard !values.isEmpty || !keys.isEmpty else { continue }
      let holding = call.arguments.indices.filter { mayHoldSecret(call.arguments[$0].value) }
      facts.uses.append(
        PendingUse(
          function: call.name, owners: owners(call),
          values: Dictionary(values) { first, _ in first },
          keys: Dictionary(keys) { first, _ in first }, holding: Set(holding),
          finding: finding(at: call.chain)))
    }
  }

  private func finding(at index: Int) -> Finding {
    Finding(
      rule: .secretInFile, path: file.path, line: file.line(index),
      column: file.lines.column(file.tokens[index].start, in: file.bytes), subject: "")
  }

  /// The types that a call's function may be a member of.
  private func owners(_ call: Call) -> Set<String> {
    let names = file.chainNames(call).dropLast()
    let own = file.type(around: call.index).map { [$0.name] } ?? []
    if names.isEmpty { return Set(own + [""]) }
    if names == ["self"] || names == ["Self"] { return Set(own) }
    var owners = Set(names)
    for name in names {
      if let type = file.typeName(name, at: call.index) { owners.insert(type) }
    }
    // `.shared` and the like of a type declared here.
    return owners
  }
}
