import AccessControl
import Wire

@testable import WhorlCommands

extension FuzzTarget {
  /// A byte for the command, then its words, separated by zeros as the kernel has them.
  static let arguments = FuzzTarget(name: "arguments") { bytes in
    var choices = Choices(bytes)
    let command = Command.all[choices.number(below: Command.all.count)]
    let words = choices.rest().split(separator: 0, omittingEmptySubsequences: false)
    let refusals = refusals(words.map { Array($0) }, of: command)
    for refusal in refusals {
      try requireDisplayable(refusal.message, "a refusal")
      for line in refusal.advice { try requireDisplayable(line, "usage") }
      try require(refusal.status != 0, "no refusal is a success")
    }
  }

  /// Reads the words in every way that commands do.
  private static func refusals(_ words: [[UInt8]], of command: Command) -> [CommandError] {
    var refusals: [CommandError] = []
    func attempt(_ body: () throws(CommandError) -> Void) {
      do throws(CommandError) { try body() } catch { refusals.append(error) }
    }
    attempt { () throws(CommandError) in
      let arguments = try Arguments(words, of: command)
      attempt { () throws(CommandError) in _ = try arguments.items(1...Limits.items) }
      attempt { () throws(CommandError) in _ = try arguments.attributes() }
      attempt { () throws(CommandError) in _ = try AccessOptions.control(arguments) }
      attempt { () throws(CommandError) in _ = try Client.options(arguments) }
      attempt { () throws(CommandError) in _ = try Variable.all(arguments) }
      attempt { () throws(CommandError) in try arguments.requireNoNames() }
      attempt { () throws(CommandError) in
        _ = try arguments.number("number", in: 1...UInt32(Limits.page))
      }
    }
    return refusals
  }
}
