import AccessControl
import Wire

/// Reads `--access`, `--class`, `--reuse` and `--application-password`.
enum AccessOptions {
  /// - Parameter old: what holds where nothing is given; a new item needs userPresence.
  static func control(
    _ arguments: Arguments, changing old: AccessControl? = nil
  ) throws(CommandError) -> AccessControl {
    var text = try arguments.text("access") ?? old?.text ?? "userPresence"
    if arguments.has("application-password"), !text.contains("applicationPassword") {
      text += " + applicationPassword"
    }
    let name = try arguments.text("class") ?? old?.accessibility.name
    let reuse =
      try arguments.number("reuse", in: 0...AccessControl.longestReuse) ?? old?.reuseLimit ?? 0
    do throws(AccessControlError) {
      return try AccessControl(
        text: text,
        accessibility: name.map { name throws(AccessControlError) in
          try Accessibility(text: name)
        } ?? .whenUnlocked, reuseLimit: reuse)
    } catch {
      let fact =
        switch error {
        case .unknownFlag: "--access: " + fault(in: text)
        case .unknownAccessibility:
          "--class: there is no \(displayText(name ?? "")); it is one of " + classes
        case .bothOperators, .twoBiometries, .userPresenceCombined, .companionNeverAvailable,
          .operatorAlone:
          "--access: " + error.explanation
        case .deprecatedAccessibility, .reuseTooLong, .malformed: error.explanation
        }
      throw CommandError(usage: fact, arguments.command.usage)
    }
  }

  private static let classes = Accessibility.allCases.map(\.name).joined(separator: ", ")

  /// What is wrong with the words of an access control.
  private static func fault(in text: String) -> String {
    let words = Option.access.words + ["touchIDAny", "touchIDCurrentSet", "watch", "companion"]
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    var seen: Set<String> = []
    for (index, part) in parts.enumerated() {
      for word in part.split(
        omittingEmptySubsequences: false, whereSeparator: { "|&".contains($0) })
      {
        let word = trimmed(word)
        if word.isEmpty { return "a word is missing beside “+”, “|” or “&”" }
        if !seen.insert(word).inserted { return "\(displayText(word)) stands twice" }
        switch word {
        case "applicationPassword", "privateKeyUsage":
          if index == 0 { return "\(displayText(word)) stands after “+”, as in “none + \(word)”" }
        case "none":
          if part.contains(where: { "|&".contains($0) }) { return "“none” stands alone" }
        default:
          guard index == 0 else {
            return "only applicationPassword stands after “+”, not \(displayText(word))"
          }
          guard words.contains(word) else {
            return "there is no \(displayText(word)); it is one of "
              + Option.access.words.joined(separator: ", ")
          }
        }
      }
    }
    return AccessControlError.unknownFlag.explanation
  }

  private static func trimmed(_ word: Substring) -> String {
    var word = word.drop { $0 == " " }
    while word.last == " " { word.removeLast() }
    return String(word)
  }
}
