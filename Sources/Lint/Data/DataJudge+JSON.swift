extension DataJudge {
  private struct Level {
    let isObject: Bool
    /// The key that the value to come has, and the one that holds the level.
    var key = ""
    let holder: String
    /// Of `{"name": "TOKEN", "value": "…"}`.
    var name: String?
    var value: (String, Int)?
  }

  /// Reads JSON, with or without comments; what is none is read as far as it goes.
  static func json(_ bytes: [UInt8], path: String) -> DataJudge {
    var judge = DataJudge(bytes, path: path)
    var levels: [Level] = []
    var index = 0
    var isKey = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = bytes[index] == UInt8(ascii: "{")
        let holder = levels.last.map { $0.isObject ? $0.key : $0.holder } ?? ""
        levels.append(Level(isObject: isObject, holder: holder))
        isKey = isObject
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let level = levels.popLast() { judge.pair(level) }
        isKey = false
        index += 1
      case UInt8(ascii: ","):
        isKey = levels.last?.isObject ?? false
        index += 1
      case UInt8(ascii: "\""):
        let end = judge.stringEnd(index)
        let text = judge.text(index + 1..<max(end - 1, index + 1))
        if isKey, !levels.isEmpty {
          levels[levels.count - 1].key = text
          isKey = false
        } else if !levels.isEmpty {
          judge.value(text, at: index, &levels[levels.count - 1])
        }
        index = end
      case UInt8(ascii: "/"):
        index = judge.commentEnd(index)
      default: index += 1
      }
    }
    return judge
  }

  private mutating func value(_ text: String, at offset: Int, _ level: inout Level) {
    let name = level.isObject ? level.key : level.holder
    if level.isObject, name == "name" || name == "key" { level.name = text }
    if level.isObject, name == "value" { level.value = (text, offset) }
    let isHeader = text.hasPrefix("Bearer ") && text.utf8.count > 16
    guard SecretName.isSecret(name) || isHeader, !isReference(text),
      !Placeholder.isOne(text, of: name)
    else { return }
    report(rule(level.holder), at: offset, name)
  }

  private mutating func pair(_ level: Level) {
    guard let name = level.name, let (text, offset) = level.value, SecretName.isSecret(name),
      !isReference(text), !Placeholder.isOne(text, of: name)
    else { return }
    report(rule(level.holder), at: offset, name)
  }

  private func rule(_ holder: String) -> Rule {
    ["env", "environment", "environmentVariables", "containerEnv", "remoteEnv"].contains(holder)
      ? .secretInEnvironment : .secretInFile
  }

  /// A variable in place of a value.
  private func isReference(_ text: String) -> Bool {
    text.contains("${") || text.hasPrefix("$") || text.contains("$(")
  }

  func stringEnd(_ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private func commentEnd(_ start: Int) -> Int {
    guard start + 1 < bytes.count else { return bytes.count }
    if bytes[start + 1] == UInt8(ascii: "/") {
      return bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
    }
    guard bytes[start + 1] == UInt8(ascii: "*") else { return start + 1 }
    var index = start + 2
    while index + 1 < bytes.count,
      bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
    {
      index += 1
    }
    return min(index + 2, bytes.count)
  }
}
