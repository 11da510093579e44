extension DataJudge {
  private static let declaring: Set = [
    "export", "readonly", "declare", "local", "typeset", "env", "set",
  ]

  /// Reads a shell script by its words.
  static func shell(_ bytes: [UInt8], path: String) -> DataJudge {
    var judge = DataJudge(bytes, path: path)
    for command in ShellReader.commands(bytes) { judge.command(command) }
    return judge
  }

  private mutating func command(_ command: ShellReader.Command) {
    var words = command.words[...]
    while let word = words.first, let equals = assignment(word) {
      assigned(word, equals)
      words.removeFirst()
    }
    guard let first = words.first else { return }
    var name = first.text.split(separator: "/").last.map(String.init) ?? first.text
    if ["sudo", "then", "do", "else", "if", "time", "exec", "!"].contains(name) {
      words.removeFirst()
      name =
        words.first.map { $0.text.split(separator: "/").last.map(String.init) ?? $0.text } ?? ""
    }
    let arguments = words.dropFirst()
    for word in words { fallbacks(word) }
    if Self.declaring.contains(name) {
      for word in arguments { if let equals = assignment(word) { assigned(word, equals) } }
    }
    let secret = secret(arguments)
    switch name {
    case "echo", "printf", "print", "logger", "log", "wall":
      if let secret { shown(secret, command, isLogger: name == "logger") }
    case "cat", "tee":
      let target = command.targets.first ?? arguments.last?.text
      if let document = command.document, let found = self.secret([document]), let target,
        isFile(target)
      {
        report(.secretInFile, at: first.offset, found)
      }
    case "defaults": defaults(Array(arguments), first.offset)
    case "PlistBuddy", "plutil":
      if let secret { report(.secretInPlist, at: first.offset, secret) }
    default: break
    }
  }

  private func assignment(_ word: ShellReader.Word) -> String.Index? {
    guard let equals = word.text.firstIndex(of: "="), equals > word.text.startIndex else {
      return nil
    }
    let name = word.text[..<equals].trimmed("+")
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? equals : nil
  }

  private mutating func assigned(_ word: ShellReader.Word, _ equals: String.Index) {
    let name = word.text[..<equals].trimmed("+")
    let value = String(word.text[word.text.index(after: equals)...])
    fallbacks(word)
    guard SecretName.isSecret(name), !word.expands, !value.isEmpty,
      !Placeholder.isOne(value, of: name)
    else { return }
    report(.secretInEnvironment, at: word.offset, name)
  }

  /// `${API_KEY:-sk_live}`
  private mutating func fallbacks(_ word: ShellReader.Word) {
    for (name, value) in word.fallbacks where SecretName.isSecret(name) {
      let text = DataJudge.value(value)
      if !text.isEmpty, !text.hasPrefix("$"), !Placeholder.isOne(text, of: name) {
        report(.secretInEnvironment, at: word.offset, name)
      }
    }
  }

  private func secret(_ words: some Sequence<ShellReader.Word>) -> String? {
    words.flatMap(\.variables).first { SecretName.isSecret($0) }
  }

  private func isFile(_ target: String) -> Bool {
    !target.hasPrefix("&") && target != "/dev/null" && target != "/dev/stderr"
      && target != "/dev/stdout" && target != "/dev/tty"
  }

  private mutating func shown(_ name: String, _ command: ShellReader.Command, isLogger: Bool) {
    if command.targets.contains(where: isFile) {
      return report(.secretInFile, at: command.words[0].offset, name)
    }
    // A pipe hands it to a program; a mask hides it in the log to come.
    if command.isPiped, !isLogger { return }
    if command.words.contains(where: { $0.text.contains("add-mask") }) { return }
    report(.secretInLog, at: command.words[0].offset, name)
  }

  /// `defaults write DOMAIN KEY VALUE`
  private mutating func defaults(_ arguments: [ShellReader.Word], _ offset: Int) {
    guard arguments.first?.text == "write" else { return }
    for word in arguments.dropFirst() {
      if let name = secret([word]) { return report(.secretInDefaults, at: offset, name) }
    }
    if arguments.count > 3, SecretName.isSecret(arguments[2].text), arguments[3].text != "-bool" {
      report(.secretInDefaults, at: offset, arguments[2].text)
    }
  }
}
