/// The whole program: what `whorl` became for one of these commands.
enum KeyringTool {
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(CommandError) {
      guard arguments.count > 1 else { throw Self.unknown }
      let command = try Command.named(arguments[1])
      let arguments = try Arguments(Array(arguments[2...]), of: command)
      switch command.name {
      case "import": return try importItems(arguments)
      case "export":
        try require(arguments, names: 1...1)
        return try BackupExport(arguments).run()
      default: throw Self.unknown
      }
    } catch {
      Output.complain(error.message)
      for line in error.advice { Output.error(line) }
      return error.status
    }
  }

  private static let unknown = CommandError(
    status: 1, "this program is part of “whorl import” and “whorl export”")

  private static func importItems(_ arguments: Arguments) throws(CommandError) -> Int32 {
    let kind = arguments.names.first.map { String(decoding: $0, as: UTF8.self) }
    switch kind {
    case "secret-service":
      try require(arguments, names: 1...1)
      return try SecretServiceImport(arguments).run()
    case "backup":
      try require(arguments, names: 2...2)
      return try BackupImport(arguments).run()
    case "csv":
      try require(arguments, names: 2...2)
      return try FileImport(arguments).csv(arguments.names[1])
    case "env":
      try require(arguments, names: 2...2)
      return try FileImport(arguments).environment(arguments.names[1])
    case "pass":
      try require(arguments, names: 1...2)
      return try PassImport(arguments).run()
    case nil: throw CommandError(usage: "what to import is missing", arguments.command.usage)
    case let kind?:
      throw CommandError(
        usage: "there is no import of \(quoted(Array(kind.utf8)))", arguments.command.usage)
    }
  }

  private static func require(
    _ arguments: Arguments, names: ClosedRange<Int>
  ) throws(CommandError) {
    guard names.contains(arguments.names.count) else {
      throw CommandError(usage: "too few or too many names", arguments.command.usage)
    }
  }
}
