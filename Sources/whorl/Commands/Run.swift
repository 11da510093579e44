import Linux
import SecretMemory
import WhorlClient
import Wire

extension Command {
  static let runProgram = Command(
    name: "run", synopsis: "[options] --with [NAME=VAR|NAME],… -- PROGRAM [ARGUMENT…]",
    summary: "run a program with secrets in its environment",
    text: """
      All items are one request and one act of yours. Each secret becomes the variable VAR, by \
      default the account in capitals with “_” for what cannot stand in a name. The program \
      takes the place of whorl: signals reach it, and its exit status is the status. It can be \
      seen by root and by your own programs in /proc/PID/environ, as any environment can.

      127: there is no such program. 126: it cannot be executed.
      """,
    options: [
      Option(
        name: "with", value: "ITEMS", summary: "items, separated by commas; repeatable",
        takesItems: true),
      .reason, .group, .noInteraction,
    ], runsProgram: true
  ) { arguments throws(CommandError) in
    let program = arguments.program
    guard arguments.names.isEmpty, !program.isEmpty else {
      throw CommandError(usage: "a program after “--” is missing", arguments.command.usage)
    }
    let wanted = try Variable.all(arguments)
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    let items = wanted.map(\.item)
    let secrets = try attempt(about: items.count == 1 ? items[0] : nil) {
      () throws(KeychainError) in try keychain.read(items, options: options)
    }
    let block = try Variable.block(wanted, secrets)
    let code = block.withBytes { ProgramReplacement.execute(program, adding: $0) }
    let error = SystemError(code: code, call: "execve")
    // A file where a folder of PATH should be hides what was looked for.
    let isMissing = error.isMissing || error.isWrongKind
    throw CommandError(
      status: isMissing ? 127 : 126,
      "\(quoted(program[0])): "
        + (isMissing ? "there is no such program" : "cannot be executed"))
  }
}

/// One secret on its way into an environment.
struct Variable {
  let item: ItemIdentity
  let name: [UInt8]

  static func all(_ arguments: Arguments) throws(CommandError) -> [Variable] {
    var variables: [Variable] = []
    for list in arguments.allValues("with") {
      for part in list.split(separator: UInt8(ascii: ",")) {
        let equals = part.lastIndex(of: UInt8(ascii: "="))
        let item = try arguments.item(Array(part[..<(equals ?? part.endIndex)]))
        let name =
          equals.map { Array(part[($0 + 1)...]) } ?? conventional(item.name.account)
        guard isValid(name) else {
          throw CommandError(
            usage: "\(quoted(name)) is no name of a variable", arguments.command.usage)
        }
        guard !variables.contains(where: { $0.name == name }) else {
          throw CommandError(
            usage: "two items would be \(quoted(name))", arguments.command.usage)
        }
        variables.append(Variable(item: item, name: name))
      }
    }
    guard (1...Limits.items).contains(variables.count) else {
      throw CommandError(
        usage: "--with must name 1 to \(Limits.items) items", arguments.command.usage)
    }
    return variables
  }

  /// The account in capitals, with `_` for everything else.
  private static func conventional(_ account: [UInt8]) -> [UInt8] {
    let name = account.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return isDigit(name[0]) ? [UInt8(ascii: "_")] + name : name
  }

  private static func isValid(_ name: [UInt8]) -> Bool {
    guard let first = name.first, !isDigit(first) else { return false }
    return name.allSatisfy { byte in
      isDigit(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// `VAR=secret` strings, each ended by a zero, in one piece of locked memory.
  static func block(
    _ variables: [Variable], _ secrets: [SecretBytes]
  ) throws(CommandError) -> SecretBytes {
    let count = zip(variables, secrets).reduce(0) { $0 + $1.0.name.count + $1.1.count + 2 }
    guard let block = try? SecretBytes(count: count) else {
      throw CommandError(KeychainError(.busy))
    }
    var position = 0
    for (variable, secret) in zip(variables, secrets) {
      let start = position
      let hasZero = secret.withBytes { bytes in
        block.withMutableBytes { block in
          var hasZero = false
          var index = start
          for byte in variable.name + [UInt8(ascii: "=")] {
            block[index] = byte
            index += 1
          }
          for offset in 0..<bytes.count {
            hasZero = hasZero || bytes[offset] == 0
            block[index] = bytes[offset]
            index += 1
          }
          return hasZero
        }
      }
      guard !hasZero else {
        throw CommandError(
          status: FailureCode.badParameter.exitStatus,
          "\(quoted(variable.item.name.bytes)): a secret with a zero byte cannot be a variable")
      }
      position += variable.name.count + secret.count + 2
    }
    return block
  }
}
