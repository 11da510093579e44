import AccessControl
import Linux

/// One command: what help, man page and completions say of it, and what it does.
struct Command: Sendable {
  let name: String
  /// What follows the name, as usage lines show it.
  let synopsis: String
  let summary: String
  /// Other names for it.
  let aliases: [String]
  /// Whole sentences for the man page and `help COMMAND`; paragraphs are separated by empty lines.
  let text: String
  /// Made when they are asked for: most commands are given none.
  var options: [Option] { makeOptions() }
  private let makeOptions: @Sendable () -> [Option]
  /// Words that may follow, for completions.
  let words: [String]
  /// How many names of items there are may follow, for completions.
  let items: ItemUse
  /// Whether `--` begins a program to run, and not names that may begin with a dash.
  let runsProgram: Bool
  /// Whether it speaks of the user's items, so that root is told whose those are.
  let isAboutItems: Bool

  enum ItemUse: Sendable {
    case none, one, many
  }

  let body: @Sendable (Arguments) throws(CommandError) -> Int32

  init(
    name: String, synopsis: String, summary: String, aliases: [String] = [], text: String = "",
    options: @autoclosure @escaping @Sendable () -> [Option] = [], words: [String] = [],
    items: ItemUse = .none, runsProgram: Bool = false, isAboutItems: Bool = true,
    body: @escaping @Sendable (Arguments) throws(CommandError) -> Int32
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.aliases = aliases
    self.text = text
    makeOptions = options
    self.words = words
    self.items = items
    self.runsProgram = runsProgram
    self.isAboutItems = isAboutItems
    self.body = body
  }

  var usage: String { "usage: whorl \(name)\(synopsis.isEmpty ? "" : " ")\(synopsis)" }

  static func run(_ command: Command, _ words: [[UInt8]]) throws(CommandError) -> Int32 {
    let arguments = try Arguments(words, of: command)
    if arguments.has("help") {
      try Output.print(HelpText.of(command))
      return 0
    }
    if command.isAboutItems, OwnProcess.user == 0, OwnProcess.environment("SUDO_UID") != nil {
      Output.error("whorl: note: under sudo, these are root's items, not yours")
    }
    return try command.body(arguments)
  }
}

/// An option of a command.
struct Option: Sendable {
  /// Without the dashes.
  let name: String
  var short: Character?
  /// What its value is called; nil for a switch.
  var value: String?
  let summary: String
  /// What its value may be, for completions.
  var words: [String] = []
  /// Whether its value is names of items, separated by commas.
  var takesItems = false

  static let help = Option(name: "help", short: "h", summary: "explain this command")
  static let json = Option(name: "json", summary: "print JSON")
  static let group = Option(
    name: "group", value: "GROUP", summary: "the access group of the items; “whorl” by default")
  static let groupAlone = Option(
    name: "group", value: "GROUP", summary: "items of this access group only; of all by default")
  static let noInteraction = Option(
    name: "no-interaction", summary: "fail with status 36 instead of asking anybody")
  static let user = Option(
    name: "user", value: "ACCOUNT",
    summary: "of another account; for root, and for administrators, whom polkit asks")
  static let reason = Option(
    name: "reason", value: "TEXT", summary: "why, shown with the prompt as unverified")
  static let empty = Option(
    name: "empty", summary: "accept an empty secret, which is refused without")
  static let attribute = Option(
    name: "attr", value: "KEY=VALUE", summary: "an attribute, not secret; repeatable")
  static let label = Option(name: "label", value: "TEXT", summary: "a label, not secret")
  static let access = Option(
    name: "access", value: "TEXT",
    summary: "what a read must prove: none, userPresence, biometryAny, biometryCurrentSet, "
      + "devicePasscode; joined by only “|” or only “&”, which a shell needs quoted, as in "
      + "--access 'biometryAny | devicePasscode'; “+ applicationPassword” may follow",
    words: ["none", "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode"])
  static let itemClass = Option(
    name: "class", value: "CLASS",
    summary: "when it can be read at all: whenUnlocked (the default), afterFirstUnlock, or "
      + "whenPasscodeSetThisDeviceOnly; whenUnlockedThisDeviceOnly and "
      + "afterFirstUnlockThisDeviceOnly are these, left out of whorl export",
    words: Accessibility.allCases.map(\.name))
  static let reuse = Option(
    name: "reuse", value: "SECONDS",
    summary: "let one act serve reads of this item for up to 300 seconds on the same login and "
      + "terminal; any code of yours may read it in that time")
}
