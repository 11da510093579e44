/// Plain files, and databases that are plain files.
extension SwiftJudge {
  mutating func judgeFiles() {
    for call in file.calls {
      switch call.name {
      case "write": written(call)
      case "createFile":
        sink(
          .secretInFile, value: call.argument("contents"), key: call.argument("atPath"),
          at: call.chain)
      case "archiveRootObject": sink(.secretInFile, value: call.first, at: call.chain)
      case "fputs" where !(call.arguments.last.map { isStandard($0.value) } ?? true):
        sink(.secretInFile, value: call.first, at: call.chain)
      case "fwrite": sink(.secretInFile, value: call.first, at: call.chain)
      default: break
      }
    }
  }

  private func isStandard(_ range: Range<Int>) -> Bool {
    range.contains {
      ["stderr", "stdout", "standardError", "standardOutput"].contains(file.texts[$0])
    }
  }

  private mutating func written(_ call: Call) {
    let names = file.chainNames(call)
    // A method that takes what it writes is another's; it is judged by its own body.
    let isOwn = call.first == nil
    if isOwn, call.argument("to") != nil || call.argument("toFile") != nil {
      guard call.index - 1 > call.chain || file.isWord(call.chain) else { return }
      let receiver = call.chain..<call.index - 1
      // A dictionary of Foundation writes itself as a property list.
      let isList =
        receiver.contains { ["NSDictionary", "NSArray"].contains(file.texts[$0]) }
        || file.typeName(file.text(call.chain), at: call.chain).map {
          ["NSDictionary", "NSMutableDictionary"].contains($0)
        } ?? false
      let target = call.argument("to") ?? call.argument("toFile")
      sink(isList ? .secretInPlist : .secretInFile, value: receiver, at: call.chain)
      if let target, names.count > 1, isPlainTarget(call, target) {
        report(
          .secretInFile, at: call.chain, name(SecretKey(file).secret(in: target) ?? call.index))
      }
    } else if let value = call.argument("contentsOf") ?? call.first, names.count > 1 {
      let handle = names[names.count - 2]
      let isHandle =
        names.contains("FileHandle") || file.typeName(handle, at: call.index) == "FileHandle"
        || SecretName.words(handle).contains("handle")
      if isStandard(call.chain..<call.index) {
        sink(.secretInLog, value: value, at: call.chain)
      } else if isHandle {
        sink(.secretInFile, value: value, at: call.chain)
      }
    }
  }

  /// Whether a file named like a secret is written, as `token.txt`, of what is not known to be sealed.
  private func isPlainTarget(_ call: Call, _ target: Range<Int>) -> Bool {
    guard let found = SecretKey(file).secret(in: target), file.kind(found) == .stringOpen else {
      return false
    }
    let receiver = (call.chain..<call.index).filter { file.isWord($0) }.map { file.texts[$0] }
    guard let first = receiver.first else { return false }
    let origin =
      file.binding(first, at: call.chain)?.value.filter { file.isWord($0) }.map { file.texts[$0] }
      ?? []
    return !(receiver + origin).contains { name in
      SecretName.words(name).contains {
        ["sealed", "encrypted", "cipher", "ciphertext", "seal", "encrypt", "box", "wrapped"]
          .contains($0)
      }
    }
  }

  // MARK: - Databases

  mutating func judgeDatabases() {
    for list in file.bindings.values {
      for binding in list where binding.kind == .property { stored(binding) }
    }
    for call in file.calls where call.name == "setValue" || call.name == "setPrimitiveValue" {
      guard let base = file.chainNames(call).first, isManaged(base, at: call.index) else {
        continue
      }
      sink(
        .secretInDatabase, value: call.first,
        key: call.argument("forKey") ?? call.argument("forKeyPath"), at: call.chain)
    }
    // `entity.token = value` of an object made in a managed context.
    for index in file.texts.indices
    where file.texts[index] == "=" && file.isWord(index - 1) && file.text(index - 2) == "." {
      guard SecretName.isSecret(file.texts[index - 1]), file.isWord(index - 3),
        isManaged(file.texts[index - 3], at: index), index + 1 < file.count,
        mayHoldSecret(index + 1..<file.end(of: index))
      else { continue }
      report(.secretInDatabase, at: index - 3, file.texts[index - 1])
    }
  }

  private func isManaged(_ name: String, at index: Int) -> Bool {
    guard let binding = file.binding(name, at: index) else { return false }
    let words = Array(binding.type) + Array(binding.value)
    if words.contains(where: { ["NSManagedObject", "insertNewObject"].contains(file.texts[$0]) }) {
      return true
    }
    return binding.value.contains { place in
      file.texts[place] == "context" && file.text(place + 1) == ":" && file.text(place - 1) == "("
    }
  }

  private mutating func stored(_ binding: Binding) {
    guard SecretName.isSecret(binding.name), !binding.isComputed else { return }
    let attributes = binding.header.filter { file.texts[$0].hasPrefix("@") }.map { file.texts[$0] }
    let type = binding.type.first { file.isWord($0) }.map { file.texts[$0] }
    guard !["Bool", "Int", "Date"].contains(type) else { return }
    if attributes.contains("@NSManaged") || attributes.contains("@Persisted") {
      return report(.secretInDatabase, at: binding.index, binding.name)
    }
    guard let owner = file.type(around: binding.index),
      owner.range.contains(binding.index), file.enclosing[binding.index] == owner.open
    else { return }
    let header = (owner.header..<owner.open).map { file.texts[$0] }
    let isModel =
      header.contains("@Model") || header.contains("@Table")
      || (header.contains("Object") && header.contains("class"))
      || header.contains {
        ["PersistableRecord", "MutablePersistableRecord", "RealmSwiftObject"].contains($0)
      }
    guard isModel, !attributes.contains("@Transient"),
      !binding.header.contains(where: {
        file.texts[$0] == "static" || file.texts[$0] == "ephemeral"
      })
    else { return }
    report(.secretInDatabase, at: binding.index, binding.name)
  }
}
