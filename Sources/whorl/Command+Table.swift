/// The table that everything is generated from: help, man page, completions.
extension Command {
  static let all: [Command] = [
    .add, .read, .update, .show, .list, .remove, .rearm, .runProgram, .status, .doctor, .log,
    .lock, .completions, .help, .version,
  ]

  /// The command that scripts run most is found without making the others.
  static func named(_ name: String) -> Command? {
    name == "read" ? .read : all.first { $0.name == name }
  }
}
