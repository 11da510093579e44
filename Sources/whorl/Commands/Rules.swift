import WhorlClient
import Wire

extension Command {
  static let rules = Command(
    name: "rules", synopsis: "[options] [KEY=VALUE…]",
    summary: "say, or change, when a password is wanted before a finger",
    text: """
      Says them to everybody; to change them is for root, and for administrators, whom polkit asks. \
      The keys are passcode-after-boot (on or off), passcode-after-hours (0 to 8760) and \
      passcode-after-failures (0 to 1000), as in whorld.conf(5); 0 is never. What is changed here \
      makes that file's stricter, and holds until it is set to what the file says; what is looser \
      is refused.
      """,
    options: [.json, .noInteraction],
    words: ["passcode-after-boot=", "passcode-after-hours=", "passcode-after-failures="],
    isAboutItems: false
  ) { arguments throws(CommandError) in
    var changes = RuleChanges()
    for name in arguments.names {
      guard RulesText.take(name, into: &changes) else {
        throw CommandError(
          usage: "\(quoted(name)) is no rule, or not a value for it", arguments.command.usage)
      }
    }
    let keychain = Client.silentKeychain(arguments)
    let options = try Client.options(arguments)
    let rules = try administer { () throws(KeychainError) in
      try keychain.rules(changes, options: options)
    }
    try Output.print(
      arguments.has("json") ? RulesText.json(rules).encoded : RulesText.text(rules))
    return 0
  }
}

enum RulesText {
  static func take(_ bytes: [UInt8], into changes: inout RuleChanges) -> Bool {
    let words = String(decoding: bytes, as: UTF8.self).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2 else { return false }
    switch words[0] {
    case "passcode-after-boot" where ["on", "off"].contains(words[1]):
      changes.passcodeAfterBoot = words[1] == "on"
    case "passcode-after-hours":
      changes.passcodeAfterHours = number(words[1], Rules.hoursLimit)
      return changes.passcodeAfterHours != nil
    case "passcode-after-failures":
      changes.passcodeAfterFailures = number(words[1], Rules.failuresLimit)
      return changes.passcodeAfterFailures != nil
    default: return false
    }
    return true
  }

  private static func number(_ text: Substring, _ limit: UInt32) -> UInt32? {
    UInt32(text).flatMap { $0 <= limit ? $0 : nil }
  }

  static func text(_ rules: Rules) -> String {
    """
    passcode-after-boot = \(rules.passcodeAfterBoot ? "on" : "off")
    passcode-after-hours = \(rules.passcodeAfterHours)
    passcode-after-failures = \(rules.passcodeAfterFailures)
    """
  }

  static func json(_ rules: Rules) -> JSON {
    .object([
      ("passcodeAfterBoot", .bool(rules.passcodeAfterBoot)),
      ("passcodeAfterHours", .number(Int64(rules.passcodeAfterHours))),
      ("passcodeAfterFailures", .number(Int64(rules.passcodeAfterFailures))),
    ])
  }
}
