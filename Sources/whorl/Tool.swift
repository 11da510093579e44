import Linux

/// The whole program: arguments in, exit status out.
enum Tool {
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(CommandError) {
      guard arguments.count > 1 else {
        throw CommandError(usage: "a command is missing", HelpText.usage)
      }
      switch String(decoding: arguments[1], as: UTF8.self) {
      case "-h", "--help": return try Command.run(.help, [])
      case "-V", "--version": return try Command.run(.version, [])
      default: return try Command.run(.named(arguments[1]), Array(arguments[2...]))
      }
    } catch {
      Output.complain(error.message)
      for line in error.advice { Output.error(line) }
      return error.status
    }
  }
}
