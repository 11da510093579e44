/// Whether a value written in a file stands for one that is not there.
enum Placeholder {
  /// - Parameter name: the name of the value, which a label or a form repeats.
  static func isOne(_ value: String, of name: String) -> Bool {
    let text = value.lowercased().trimmed(" ")
    if text.utf8.count < 3 || text.allSatisfy({ "*.x•-_#0?".contains($0) }) { return true }
    if text.hasPrefix("<") && text.hasSuffix(">") || text.hasPrefix("{{") || text.hasPrefix("%(") {
      return true
    }
    if words.contains(text) || parts.contains(where: { text.contains($0) }) { return true }
    if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("keychain:")
      || text.hasPrefix("op://") || text.hasPrefix("/run/secrets/")
    {
      return true
    }
    // A token is no word.
    let head = SecretName.words(name).last ?? ""
    if !head.hasPrefix("pass"), value.utf8.count < 16,
      value.allSatisfy({ $0.isLowercase || $0 == "-" })
    {
      return true
    }
    // A sentence, as a label or message has.
    if text.contains(" "), !text.hasPrefix("bearer "), !name.lowercased().contains("passphrase") {
      return true
    }
    return SecretName.words(value) == SecretName.words(name)
      || SecretName.words(name).last == text
  }

  private static let words: Set = [
    "null", "nil", "none", "string", "number", "boolean", "required", "optional", "true", "false",
    "changeme", "change-me", "change_me", "todo", "tbd", "secret", "password", "token", "redacted",
    "example", "placeholder", "undefined", "text", "hidden", "unset", "dummy", "keychain",
  ]
  private static let parts = [
    "your_", "your-", "yourtoken", "replace_", "replace-", "replace me", "<your", "xxxx", "****",
    "example", "insert_", "insert-", "goes-here", "goes_here", "placeholder", "not-a-real",
    "fill-in",
  ]
}
