extension DataJudge {
  private struct Tag {
    let name: String
    /// What stands in it before the next tag.
    let content: Range<Int>
    let attributes: [String: String]
    let offset: Int
  }

  /// Reads property lists, data models and schemes, which are XML.
  static func propertyList(_ bytes: [UInt8], path: String) -> DataJudge {
    var judge = DataJudge(bytes, path: path)
    if path.hasSuffix(".plist") { judge.facts.targetsApple = path.hasSuffix("Info.plist") }
    var key: String?
    for tag in judge.tags() {
      let text = judge.text(tag.content).trimmed(" \n\t\r")
      switch tag.name {
      case "key": key = text
      case "string", "data":
        if let key { judge.entry(key, text, at: tag.offset) }
        key = nil
      case "attribute": judge.attribute(tag)
      case "EnvironmentVariable": judge.variable(tag)
      case "dict", "array", "true/", "false/", "integer", "real", "date": key = nil
      default: break
      }
    }
    return judge
  }

  private mutating func entry(_ key: String, _ value: String, at offset: Int) {
    if key == "NSFaceIDUsageDescription", !value.isEmpty { facts.describesUse = true }
    // A build setting is put into the app, so that the app holds the value.
    let isSetting = value.hasPrefix("$(") || value.hasPrefix("${")
    guard SecretName.isSecret(key), isSetting || !Placeholder.isOne(value, of: key) else {
      return
    }
    report(.secretInPlist, at: offset, key)
  }

  private mutating func attribute(_ tag: Tag) {
    guard let name = tag.attributes["name"], SecretName.isSecret(name),
      ["String", "Binary", "Transformable"].contains(tag.attributes["attributeType"] ?? ""),
      tag.attributes["transient"] != "YES"
    else { return }
    report(.secretInDatabase, at: tag.offset, name)
  }

  private mutating func variable(_ tag: Tag) {
    guard let name = tag.attributes["key"], let value = tag.attributes["value"],
      SecretName.isSecret(name), !value.hasPrefix("$"), !Placeholder.isOne(value, of: name)
    else { return }
    report(.secretInEnvironment, at: tag.offset, name)
  }

  private func tags() -> [Tag] {
    var tags: [Tag] = []
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes[open...].starts(with: Array("<!--".utf8)) {
        var end = open + 4
        while end < bytes.count, !bytes[end...].starts(with: Array("-->".utf8)) { end += 1 }
        index = min(end + 3, bytes.count)
        continue
      }
      guard let close = tagEnd(open) else { break }
      let content = close + 1
      let next = bytes[content...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      let words = text(open + 1..<close)
      let name = String(words.prefix { !" \n\t\r".contains($0) })
      tags.append(
        Tag(
          name: name, content: content..<next, attributes: attributes(words), offset: open))
      index = content
    }
    return tags
  }

  private func tagEnd(_ open: Int) -> Int? {
    var isQuoted = false
    for index in open..<bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == UInt8(ascii: ">"), !isQuoted { return index }
    }
    return nil
  }

  /// `name = "value"` pairs.
  private func attributes(_ words: String) -> [String: String] {
    guard words.contains("=") else { return [:] }
    var result: [String: String] = [:]
    let pieces = words.split(separator: "\"", omittingEmptySubsequences: false)
    for index in stride(from: 0, to: pieces.count - 1, by: 2) {
      let name = String(pieces[index]).trimmed(" \n\t\r").trimmed("=").trimmed(" \n\t\r")
      result[name.lastPiece(" \n\t")] = String(pieces[index + 1])
    }
    return result
  }
}
