/// The table that everything is generated from: help, man page, completions.
extension Command {
  static let all: [Command] = [
    .add, .read, .update, .show, .list, .remove, .rearm, .runProgram, .status, .doctor, .log,
    .lock, .loginKeyring, .completions, .help, .version,
  ]
}
