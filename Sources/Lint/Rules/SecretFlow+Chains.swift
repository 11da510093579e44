/// Chains of names, calls and subscripts, and the lists in them.
extension SecretFlow {
  private struct Link {
    let index: Int
    /// The parenthesis of a call, or the bracket of a subscript.
    var group: Int?
  }

  /// `a.b(c).d[e]`, or a list or tuple with members after it.
  func chain(_ first: Int, _ end: Int, _ depth: Int) -> Int? {
    var links = [Link(index: first)]
    var place = first
    let isGroup = !file.isWord(first)
    place = isGroup ? file.partner[first] + 1 : first + 1
    while place < end {
      let text = file.texts[place]
      if text == ".", file.isWord(place + 1) || file.kind(place + 1) == .number {
        links.append(Link(index: place + 1))
        place += 2
      } else if ["(", "["].contains(text), file.isOpen(place), file.touches(place) {
        if links[links.count - 1].group == nil {
          links[links.count - 1].group = place
        } else {
          links.append(Link(index: links[links.count - 1].index, group: place))
        }
        place = file.partner[place] + 1
      } else if text == "{", file.isOpen(place) {
        place = file.partner[place] + 1
      } else if text == "?" || text == "!" || text == "<" || text == ">" {
        place += 1
      } else if file.isWord(place), text == "Optional" || text.first?.isUppercase == true {
        // The arguments of a generic type.
        place += 1
      } else {
        break
      }
    }
    return value(links[...], depth)
  }

  private func value(_ links: ArraySlice<Link>, _ depth: Int) -> Int? {
    guard let last = links.last else { return nil }
    let before = links.dropLast()
    let name = file.texts[last.index]
    if !file.isWord(last.index), last.group == nil {
      switch file.tokens[last.index].kind {
      case .stringOpen: return literal(last.index, depth)
      case .open: return elements(last.index, depth)
      // A place in a tuple.
      case .number: return value(before, depth)
      default: return nil
      }
    }
    if let group = last.group { return grouped(last, group, before, name, depth) }
    if Self.fields.contains(name), let field = before.last, field.group == nil {
      let words = SecretName.words(file.texts[field.index])
      if let end = words.last, Self.inputs.contains(end) {
        return SecretName.isSecret(Array(words.dropLast())) ? field.index : nil
      }
    }
    if Self.passing.contains(name), !before.isEmpty { return value(before, depth) }
    if let base = before.last, base.group == nil, isListOfNames(file.texts[base.index]) {
      return nil
    }
    return property(last.index, isAlone: isAlone(before), depth)
  }

  /// Whether the type's cases name things: `StorageKey.token` is the name of a token.
  private func isListOfNames(_ type: String) -> Bool {
    guard type.first?.isUppercase == true, let last = SecretName.words(type).last else {
      return false
    }
    return [
      "key", "keys", "kind", "type", "field", "fields", "name", "names", "header", "headers",
      "scope",
    ]
    .contains(last)
  }

  private func isAlone(_ before: ArraySlice<Link>) -> Bool {
    before.isEmpty
      || (before.count == 1
        && ["self", "Self"].contains(file.texts[before[before.startIndex].index]))
  }

  private func grouped(
    _ link: Link, _ group: Int, _ before: ArraySlice<Link>, _ name: String, _ depth: Int
  ) -> Int? {
    let inside = group + 1..<file.partner[group]
    if file.texts[group] == "[" {
      if let key = inside.first, isKey(key), SecretKey(file).isSecret(inside) { return key }
      if !file.isWord(link.index) { return nil }
      return value(before + [Link(index: link.index)], depth)
    }
    if !file.isWord(link.index) { return elements(link.index, depth) }
    if SecretName.hides(name) { return nil }
    if let base = before.last, file.texts[base.index].first?.isUppercase == true,
      let kind = SecretName.words(file.texts[base.index]).last,
      ["event", "error", "action", "message"].contains(kind)
    {
      return arguments(inside, depth)
    }
    if name == "get", inside.isEmpty { return value(before, depth) }
    if Self.passing.contains(name) {
      return value(before, depth) ?? (Self.joining.contains(name) ? arguments(inside, depth) : nil)
    }
    if Self.wrapping.contains(name) || name.first?.isUppercase == true {
      return arguments(inside, depth)
    }
    if SecretName.isSecretCall(name), !isText(link.index) { return link.index }
    // `store.string(for: .authToken)`, `keychain.get("token")`
    if SecretName.isReader(name) || Self.lookups.contains(name), !before.isEmpty {
      for element in file.elements(inside) where SecretKey(file).isSecret(element) {
        return element.lowerBound
      }
    }
    return nil
  }

  private func isKey(_ index: Int) -> Bool {
    file.kind(index) == .stringOpen || file.isWord(index) || file.texts[index] == "."
  }

  func arguments(_ range: Range<Int>, _ depth: Int) -> Int? {
    for element in file.elements(range) {
      let isLabeled = file.isWord(element.lowerBound) && file.text(element.lowerBound + 1) == ":"
      let value = isLabeled ? element.lowerBound + 2..<element.upperBound : element
      if let found = secret(in: value, depth: depth + 1) { return found }
      if isLabeled, SecretName.isSecret(file.texts[element.lowerBound]), holdsValue(value) {
        return element.lowerBound
      }
    }
    return nil
  }

  /// The elements of a list or tuple; of a dictionary a value whose key names a secret too.
  private func elements(_ open: Int, _ depth: Int) -> Int? {
    for element in file.elements(open + 1..<file.partner[open]) {
      let colon = top(element).first { file.texts[$0] == ":" }
      let isTernary = top(element).contains { file.texts[$0] == "?" && file.isSpaced($0) }
      guard let colon, !isTernary || colon < element.lowerBound + 3 else {
        if let found = secret(in: element, depth: depth + 1) { return found }
        continue
      }
      let value = colon + 1..<element.upperBound
      if let found = secret(in: value, depth: depth + 1) { return found }
      if SecretKey(file).isSecret(element.lowerBound..<colon), holdsValue(value) {
        return element.lowerBound
      }
    }
    return nil
  }

  /// Whether the range is a name or call whose value is not known, and not an answer or a number.
  func holdsValue(_ range: Range<Int>) -> Bool {
    guard let first = range.first, file.isWord(first) || file.texts[first] == "(" else {
      return false
    }
    guard !["true", "false", "nil"].contains(file.texts[first]) else { return false }
    let top = top(range)
    if top.contains(where: { isComparison($0) }) || ternary(range) != nil { return false }
    guard let last = top.last(where: { file.isWord($0) }) else { return false }
    let words = SecretName.words(file.texts[last])
    return !words.contains { SecretFlow.plain.contains($0) } && !SecretName.hides(file.texts[last])
  }

  private func property(_ index: Int, isAlone: Bool, _ depth: Int) -> Int? {
    let name = file.texts[index]
    if name == "newValue", isAlone, file.binding(name, at: index) == nil {
      let property = file.blocks(around: index).first { $0.keyword == "var" }
      return property.map { SecretName.isSecret($0.name) } ?? false ? index : nil
    }
    if name == "$0", isAlone { return secret(givenTo: index, depth) ? index : nil }
    let binding = isAlone ? file.binding(name, at: index) : nil
    if SecretName.isSecret(name) {
      if isAlone, isTypeName(name) { return nil }
      return isText(index) || (binding.map { isHarmless($0, depth) } ?? false) ? nil : index
    }
    guard isAlone, let binding, depth < 3, !binding.value.contains(index),
      !binding.value.isEmpty || !binding.type.isEmpty
    else { return nil }
    // A list that is looped over may hold many things.
    let isList = binding.kind == .loop && binding.value.contains { file.texts[$0] == "[" }
    if binding.isComputed || isList { return nil }
    if let found = added(to: binding, depth) { return found }
    return secret(in: binding.value, depth: depth + 3) == nil ? nil : index
  }

  /// Whether `$0` is a secret: in `token.map { … }` it is what the closure is called on.
  private func secret(givenTo index: Int, _ depth: Int) -> Bool {
    guard depth < 3,
      let block = file.blocks(around: index).first(where: { $0.kind == .closure }),
      ["map", "flatMap", "compactMap", "forEach", "sink"].contains(file.texts[block.open - 1]),
      file.texts[block.open - 2] == "."
    else { return false }
    let first = CallReader.chain(block.open - 1, file)
    return secret(in: first..<block.open - 2, depth: depth + 3) != nil
  }

  private func isTypeName(_ name: String) -> Bool {
    name.first?.isUppercase == true && name.contains { $0.isLowercase }
  }

  /// What statements put into a dictionary: `values["token"] = token`.
  private func added(to binding: Binding, _ depth: Int) -> Int? {
    let isDictionary = (Array(binding.type) + Array(binding.value)).contains { place in
      file.texts[place] == "[" || file.texts[place].hasSuffix("Dictionary")
    }
    guard isDictionary else { return nil }
    for index in binding.scope
    where file.texts[index] == binding.name && file.start[index] == index
      && file.texts[index + 1] == "["
    {
      let key = index + 2..<file.partner[index + 1]
      let equals = file.partner[index + 1] + 1
      guard file.texts[equals] == "=" else { continue }
      let value = equals + 1..<file.end(of: index)
      if let found = secret(in: value, depth: depth + 3) { return found }
      if SecretKey(file).isSecret(key), holdsValue(value) { return key.lowerBound }
    }
    return nil
  }

  /// A bare `token` where text is taken apart.
  private func isText(_ index: Int) -> Bool {
    speaksOfText && ["token", "currentToken", "tok"].contains(file.texts[index])
  }

  private func isHarmless(_ binding: Binding, _ depth: Int) -> Bool {
    if binding.kind == .loop {
      let words = binding.value.flatMap { file.isWord($0) ? SecretName.words(file.texts[$0]) : [] }
      if words.contains("tokens"), !SecretName.isSecret(words) { return true }
    }
    let type = binding.type.last { file.isWord($0) }.map { file.texts[$0] }
    if let type, Self.otherTypes.contains(type) { return true }
    if let type, type == "Token", speaksOfText { return true }
    if comesFromHarmless(binding, 0) { return true }
    // What registers an observer, or what hides, is no secret whatever it is called.
    let value = binding.value
    guard !value.isEmpty, !binding.isComputed else { return false }
    return top(value).contains { index in
      file.isWord(index) && file.text(index + 1) == "("
        && (Self.observing.contains(file.texts[index]) || SecretName.hides(file.texts[index]))
    } || top(value).contains { isComparison($0) }
  }

  /// Whether the value is made of a token that opens nothing: the text of a device's token.
  private func comesFromHarmless(_ binding: Binding, _ depth: Int) -> Bool {
    guard depth < 3, !binding.isComputed else { return false }
    return binding.value.contains { index in
      guard file.isWord(index) else { return false }
      if SecretName.isHarmlessToken(file.texts[index]) { return true }
      guard let other = file.binding(file.texts[index], at: index), other.index != binding.index
      else { return false }
      return comesFromHarmless(other, depth + 1)
    }
  }

  static let plain: Set = [
    "count", "length", "status", "error", "description", "message", "empty", "date", "expiry",
    "type", "kind", "id", "index", "size", "url", "present", "exists", "valid", "title", "label",
    "field", "placeholder",
  ]
  private static let otherTypes: Set = [
    "Int", "Bool", "Double", "Date", "NSObjectProtocol", "NSKeyValueObservation", "AnyCancellable",
    "Cancellable", "NotificationToken", "SyntaxToken", "TokenSyntax", "TokenKind",
    "CancellationToken", "UITextField", "NSTextField", "NSSecureTextField", "UILabel", "UIButton",
    "NSPersistentHistoryToken", "SecureField", "TextField", "OSStatus", "TimeInterval", "View",
  ]
  private static let observing: Set = [
    "addObserver", "observe", "sink", "subscribe", "addPeriodicTimeObserver", "tokenize",
    "nextToken", "beginBackgroundTask", "publisher", "addStateDidChangeListener", "schedule",
  ]
  /// Members whose value is the thing itself, or a part of it.
  private static let passing: Set = [
    "utf8", "utf16", "unicodeScalars", "description", "debugDescription", "rawValue",
    "wrappedValue", "value", "string", "unsafelyUnwrapped", "self", "stringValue", "data",
    "trimmingCharacters", "base64EncodedString", "base64EncodedData", "lowercased", "uppercased",
    "prefix", "suffix", "appending", "joined", "dropFirst", "dropLast", "reversed", "first", "last",
    "padding", "addingPercentEncoding", "cString", "flatMap", "map", "compactMap", "rawToken",
    "text", "utf8String", "filter", "split", "components", "replacingOccurrences", "bytes",
    "unwrapped", "init",
  ]
  private static let joining: Set = ["appending", "init"]
  private static let wrapping: Set = [
    "encode", "archivedData", "data", "describing", "propertyList", "dump", "format", "unsafe",
    "jsonObject", "some", "success",
  ]
  private static let lookups: Set = [
    "string", "get", "value", "object", "data", "token", "item", "secret", "password",
  ]
  private static let fields: Set = ["text", "stringValue", "value", "string"]
  private static let inputs: Set = ["field", "textfield", "input", "box", "entry"]
}
