enum BashCompletions {
  static var text: String {
    let cases = Command.all.map { command in
      let words = (command.options + [.help]).map { "--" + $0.name } + command.words
      return
        "    \(command.name)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")) ;;"
    }
    return """
      _whorl() {
        local word=${COMP_WORDS[COMP_CWORD]}
        if [ "$COMP_CWORD" = 1 ]; then
          COMPREPLY=($(compgen -W '\(Command.all.map(\.name).joined(separator: " "))' -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
      }
      complete -F _whorl whorl

      """
  }
}
