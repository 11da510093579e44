import WhorlClient
import Wire

extension Advice {
  /// A command of this program in the words of advice: within the quotes is what can be copied
  /// into a shell.
  ///
  /// - Parameter item: nil, or a name too long or too strange to copy, leaves a placeholder.
  static func command(_ words: String, _ item: ItemIdentity?) -> String {
    guard let item else { return "“whorl \(words) NAME”" }
    var command = "whorl " + words
    if item.group != Array("whorl".utf8) {
      command += " --group " + (shellWord(item.group) ?? "GROUP")
    }
    let name = item.name.bytes
    if name.first == UInt8(ascii: "-") { command += " --" }
    return "“\(command) \(shellWord(name) ?? "NAME")”"
  }

  /// The bytes as one word of a shell, quoted if they must be.
  ///
  /// - Returns: nil for what ``displayText(_:)`` would not show in full and as it is.
  static func shellWord(_ bytes: [UInt8]) -> String? {
    // Harmless on a terminal between quotes, whatever they mean elsewhere.
    let escaped = Array("\"\\<&".utf8)
    let shown = bytes.filter { !escaped.contains($0) }
    guard bytes.count < displayTextCells, let text = String(validating: bytes, as: UTF8.self),
      displayText(shown) == "\"" + String(decoding: shown, as: UTF8.self) + "\""
    else { return nil }
    guard bytes.isEmpty || !bytes.allSatisfy(isPlain) || bytes[0] == UInt8(ascii: "=") else {
      return text
    }
    let quote: Character = "'"
    let inner = text.flatMap { $0 == quote ? Array("'\\''") : [$0] }
    return "'" + String(inner) + "'"
  }

  /// Whether the byte means itself in every shell, anywhere in a word but for a first `=`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("-_./@%+=:,".utf8).contains(byte)
    }
  }
}
