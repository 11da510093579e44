/// UserDefaults and what stands before it; property lists.
extension SwiftJudge {
  mutating func judgeStores() {
    for call in file.calls {
      switch call.name {
      case "set", "setValue", "setObject":
        let key = call.argument("forKey") ?? call.argument("for") ?? call.argument("key")
        if isDefaults(call) { sink(.secretInDefaults, value: call.first, key: key, at: call.chain) }
      case "register" where isDefaults(call):
        sink(.secretInDefaults, value: call.argument("defaults"), at: call.chain)
      case "setPersistentDomain" where isDefaults(call):
        sink(.secretInDefaults, value: call.first, at: call.chain)
      case "CFPreferencesSetAppValue", "CFPreferencesSetValue":
        if call.arguments.count > 1 {
          sink(
            .secretInDefaults, value: call.arguments[1].value, key: call.arguments[0].value,
            at: call.chain)
        }
      case "encode" where file.chainNames(call).contains("PropertyListEncoder"):
        sink(.secretInPlist, value: call.first, at: call.chain)
      case "data" where file.chainNames(call).contains("PropertyListSerialization"):
        sink(.secretInPlist, value: call.argument("fromPropertyList"), at: call.chain)
      case "writePropertyList":
        sink(.secretInPlist, value: call.first, at: call.chain)
      case "object", "infoDictionary":
        if let key = call.argument("forInfoDictionaryKey"),
          let found = SecretKey(file).secret(in: key)
        {
          report(.secretInPlist, at: call.chain, name(found))
        }
      default: break
      }
    }
    for index in file.texts.indices where file.texts[index] == "[" && file.touches(index) {
      subscripted(index)
    }
    judgeProperties()
    judgeAttributes()
  }

  /// Whether the receiver of a call is UserDefaults or a store like it.
  private func isDefaults(_ call: Call) -> Bool {
    let names = file.chainNames(call).dropLast()
    if names.isEmpty, call.argument("forKey") != nil { return isDefaults("self", at: call.index) }
    return names.contains { isDefaults($0, at: call.index) }
  }

  private func isDefaults(_ name: String, at index: Int) -> Bool {
    if Self.stores.contains(name) { return true }
    if SecretName.words(name).last == "defaults" { return true }
    if let type = file.typeName(name, at: index), Self.stores.contains(type) { return true }
    // `extension UserDefaults { … self.set(…) }`
    return name == "self" && file.type(around: index)?.name == "UserDefaults"
  }

  private static let stores: Set = [
    "UserDefaults", "NSUserDefaults", "NSUbiquitousKeyValueStore", "Defaults", "KeyValueStore",
    "UserDefaultsStore", "PlainStore",
  ]

  /// `defaults["token"] = value`, `Defaults[.token] = value`, and reads of the Info.plist.
  private mutating func subscripted(_ open: Int) {
    var base = open - 1
    if ["?", "!"].contains(file.text(base)) { base -= 1 }
    guard file.isWord(base), file.isOpen(open) else { return }
    let key = open + 1..<file.partner[open]
    if file.texts[base] == "infoDictionary", let found = SecretKey(file).secret(in: key) {
      return report(.secretInPlist, at: base, name(found))
    }
    let after = file.partner[open] + 1
    guard file.text(after) == "=" else { return }
    let first = CallReader.chain(base, file)
    let names = (first...base).filter { file.isWord($0) }.map { file.texts[$0] }
    guard names.contains(where: { isDefaults($0, at: open) }) else { return }
    sink(.secretInDefaults, value: after + 1..<file.end(of: open), key: key, at: first)
  }

  /// `UserDefaults.standard.authToken = value`, of an extension.
  private mutating func judgeProperties() {
    guard mentions.secrets else { return }
    for index in file.texts.indices
    where file.texts[index] == "=" && file.isWord(index - 1) && file.text(index - 2) == "." {
      guard SecretName.isSecret(file.texts[index - 1]) else { continue }
      let first = CallReader.chain(index - 1, file)
      let value = index + 1..<file.end(of: index)
      let isStored = (first..<index - 1).contains { place in
        file.isWord(place) && isDefaults(file.texts[place], at: place)
          && file.texts[place] != "self"
      }
      if isStored, mayHoldSecret(value) {
        report(.secretInDefaults, at: first, file.texts[index - 1])
      }
    }
  }

  /// Properties under a property wrapper: `@AppStorage("token") var token`.
  private mutating func judgeAttributes() {
    for list in file.bindings.values {
      for binding in list where binding.kind == .property { attributed(binding) }
    }
  }

  private mutating func attributed(_ binding: Binding) {
    for place in binding.header where file.texts[place].hasPrefix("@") {
      let wrapper = String(file.texts[place].dropFirst())
      guard wrapper.first?.isUppercase == true, !Self.harmless.contains(wrapper) else { continue }
      var subject = SecretName.isSecret(binding.name) ? binding.name : nil
      if file.text(place + 1) == "(", file.isOpen(place + 1),
        let key = file.elements(place + 2..<file.partner[place + 1]).first,
        let found = SecretKey(file).secret(in: withoutLabel(key))
      {
        subject = subject ?? name(found)
      }
      let type = binding.type.first { file.isWord($0) }.map { file.texts[$0] }
      guard let subject, type != "Bool", type != "Int", type != "Date" else { continue }
      if isAnswer(binding) { continue }
      if isDefaultsWrapper(wrapper) {
        report(.secretInDefaults, at: place, subject)
      } else {
        facts.wrapped.append(
          PendingWrapper(
            wrapper: wrapper,
            finding: Finding(
              rule: .secretInDefaults, path: file.path, line: file.line(place),
              column: file.lines.column(file.tokens[place].start, in: file.bytes), subject: subject)
          ))
      }
    }
  }

  private func isAnswer(_ binding: Binding) -> Bool {
    guard let first = binding.value.first else { return false }
    return ["true", "false"].contains(file.texts[first])
  }

  private func withoutLabel(_ range: Range<Int>) -> Range<Int> {
    file.text(range.lowerBound + 1) == ":" && range.count > 2
      ? range.lowerBound + 2..<range.upperBound : range
  }

  private func isDefaultsWrapper(_ name: String) -> Bool {
    if ["AppStorage", "SceneStorage", "Default", "Preference", "Defaults"].contains(name) {
      return true
    }
    let words = SecretName.words(name)
    return words.contains("defaults") || (words.contains("default") && words.contains("user"))
  }

  private static let harmless: Set = [
    "State", "Binding", "Published", "Environment", "EnvironmentObject", "ObservedObject",
    "StateObject", "MainActor", "Sendable", "Keychain", "KeychainStorage", "SecureStorage", "Model",
    "FocusState", "Bindable", "Observable", "Dependency", "Injected", "Argument", "Option", "Flag",
    "IBOutlet", "NSManaged", "Persisted", "Attribute", "Field", "Column", "ID", "Test", "Suite",
  ]
}
