extension StringProtocol {
  /// Without such characters at its end.
  func trimmed(_ characters: String) -> String {
    var text = Substring(self)
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return String(text)
  }

  /// What follows the last separator, of those that are not at the very end.
  func lastPiece(_ separators: String) -> String {
    let trimmed = trimmed(":= ")
    guard let index = trimmed.lastIndex(where: { separators.contains($0) }) else { return trimmed }
    return String(trimmed[trimmed.index(after: index)...])
  }
}
