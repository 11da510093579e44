extension Configuration {
  /// Why a configuration is refused.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public let line: Int
    public let text: String

    public init(line: Int, text: String) {
      self.line = line
      self.text = text
    }

    public var description: String { "configuration, line \(line): \(text)" }
  }

  /// Reads `key = value` lines and `#` comments; nothing is nested, and of a key given twice the
  /// last value holds. An unknown key or a bad value is an error: a misspelled limit must not
  /// silently be the default.
  ///
  /// - Throws: the first line that is not understood.
  public init(parsing text: String) throws(Problem) {
    self.init()
    // In bytes: as a character, the end of a line may be joined with what stands before it.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = Self.trim(line)
      if content.isEmpty || content.first == UInt8(ascii: "#") { continue }
      guard let equals = content.firstIndex(of: UInt8(ascii: "=")) else {
        throw Problem(line: index + 1, text: "expected key = value")
      }
      let name = String(Substring(Self.trim(content[..<equals])))
      let value = String(Substring(Self.trim(content[equals...].dropFirst())))
      guard let key = ConfigurationKey.all.first(where: { $0.name == name }) else {
        throw Problem(line: index + 1, text: "unknown key \(name)")
      }
      guard key.take(&self, value) else {
        throw Problem(line: index + 1, text: "bad value for \(name)")
      }
    }
  }

  private static func trim(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let blanks = Array(" \t\r".utf8)
    var text = text
    while let first = text.first, blanks.contains(first) { text.removeFirst() }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text
  }
}
