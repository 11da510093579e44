enum ZshCompletions {
  static var text: String {
    let commands = Command.all.map { "    '\($0.name):\(quoted($0.summary))'" }
    let cases = Command.all.map { command in
      let options = (command.options + [.help]).map { option in
        let value = option.value.map { ":\($0): " } ?? ""
        return "'--\(option.name)[\(quoted(option.summary))]\(value)'"
      }
      let words =
        command.words.isEmpty ? [] : ["'1:word:(\(command.words.joined(separator: " ")))'"]
      return "    \(command.name)) _arguments \((options + words).joined(separator: " ")) ;;"
    }
    return """
      #compdef whorl
      local -a commands=(
      \(commands.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe command commands
      else
        shift words
        (( CURRENT-- ))
        case $words[1] in
      \(cases.joined(separator: "\n"))
        esac
      fi

      """
  }

  private static func quoted(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        switch character {
        case "'": ["'", "\\", "'", "'"]
        case "[", "]", ":": ["\\", character]
        default: [character]
        }
      })
  }
}
