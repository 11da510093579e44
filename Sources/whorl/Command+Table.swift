/// The table that everything is generated from: help, man page, completions.
extension Command {
  static let all: [Command] = [
    .add, .read, .update, .show, .list, .remove, .rearm, .runProgram, .status, .doctor, .log,
    .lock, .loginKeyring, .lookup, .importItems, .exportItems, .rules, .purge, .lint, .completions,
    .help, .version,
  ]

  /// The command that scripts run most is found without making the others.
  static func named(_ bytes: [UInt8]) throws(CommandError) -> Command {
    let name = String(decoding: bytes, as: UTF8.self)
    if name == "read" { return .read }
    if let command = all.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      return command
    }
    let near = Spelling.nearest(name, among: all.map(\.name))
    throw CommandError(
      usage: "there is no command \(quoted(bytes))" + Spelling.question(near), HelpText.usage)
  }
}
