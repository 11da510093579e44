import Linux
import WhorlClient
import Wire

extension Command {
  static let runProgram = Command(
    name: "run", synopsis: "[options] --with NAME[=VAR][,…] -- PROGRAM [ARGUMENT…]",
    summary: "run a program with secrets in its environment",
    text: """
      All items are one request and one act of yours, up to 64 of them. Each secret becomes the \
      variable VAR, by default the account in capitals with “_” for what cannot stand in a name. \
      In NAME write “\\,” for a comma, “\\=” for an equals sign and “\\\\” for a backslash. The \
      program takes the place of whorl: signals reach it, and its exit status is the status. Its \
      environment can be seen by root and by your own programs in /proc/PID/environ, as any can. \
      A variable holds 128 KiB at most, and no zero byte.

      127: there is no such program. 126: it cannot be executed.
      """,
    options: [
      Option(
        name: "with", value: "NAME[=VAR][,…]", summary: "items, separated by commas; repeatable",
        takesItems: true),
      .reason, .group, .noInteraction,
    ], runsProgram: true
  ) { arguments throws(CommandError) in
    let program = arguments.program
    guard arguments.names.isEmpty, !program.isEmpty else {
      throw CommandError(usage: "a program after “--” is missing", arguments.command.usage)
    }
    let wanted = try Variable.all(arguments)
    // What stands in the way is told before anybody is asked.
    switch ProgramReplacement.look(for: program[0]) {
    case .found: break
    case .missing: throw CommandError(status: 127, quoted(program[0]) + missing)
    case .notExecutable: throw CommandError(status: 126, quoted(program[0]) + notExecutable)
    }
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    for variable in wanted {
      let detail = try attempt(about: variable.item) { () throws(KeychainError) in
        try keychain.show(variable.item)
      }
      try variable.requireRoom(for: Int(detail.secretCount))
    }
    let items = wanted.map(\.item)
    let secrets = try attempt(about: items.count == 1 ? items[0] : nil, group: arguments.group) {
      () throws(KeychainError) in try keychain.read(items, options: options)
    }
    let block = try Variable.block(wanted, secrets)
    let code = block.withBytes { ProgramReplacement.execute(program, adding: $0) }
    let error = SystemError(code: code, call: "execve")
    guard !error.isTooLong else {
      throw CommandError(
        status: 126, "the environment and the arguments are too large for a program")
    }
    // A file where a folder of PATH should be hides what was looked for.
    let isMissing = error.isMissing || error.isWrongKind
    throw CommandError(
      status: isMissing ? 127 : 126, quoted(program[0]) + (isMissing ? missing : notExecutable))
  }

  private static let missing = ": there is no such program"
  private static let notExecutable = ": cannot be executed"
}
