enum FishCompletions {
  static var text: String {
    var lines = ["complete -c whorl -f"]
    for command in Command.all {
      lines.append(
        "complete -c whorl -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'"
      )
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options + [.help] {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : " -x"
        lines.append(
          "complete -c whorl \(condition) -l \(option.name)\(short)\(value) -d '\(quoted(option.summary))'"
        )
      }
      if !command.words.isEmpty {
        lines.append(
          "complete -c whorl \(condition) -a '\(command.words.joined(separator: " "))'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        character == "'" || character == "\\" ? ["\\", character] : [character]
      })
  }
}
