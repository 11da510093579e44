extension Command {
  static let completions = Command(
    name: "completions", synopsis: "bash|zsh|fish", summary: "print completions for a shell",
    words: ["bash", "zsh", "fish"], isAboutItems: false
  ) { arguments throws(CommandError) in
    switch arguments.names.first.map({ String(decoding: $0, as: UTF8.self) }) {
    case "bash": try Output.print(BashCompletions.text)
    case "zsh": try Output.print(ZshCompletions.text)
    case "fish": try Output.print(FishCompletions.text)
    default:
      throw CommandError(usage: "completions takes bash, zsh or fish", arguments.command.usage)
    }
    return 0
  }
}
