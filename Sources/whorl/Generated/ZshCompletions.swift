/// For zsh, by its own `_arguments`; names of items come from `whorl list`.
enum ZshCompletions {
  static var text: String {
    let commands = Command.all.map { "    '\($0.name):\(quoted($0.summary))'" }
    return """
      #compdef whorl
      _whorl_items() {
        local group=${(Q)opt_args[--group]:-whorl}
        local -a names=("${(0)$(whorl list -0 --group "$group" 2>/dev/null)}")
        compadd "$@" -a names
      }

      _whorl() {
        local -a commands=(
      \(commands.joined(separator: "\n"))
        )
        local curcontext=$curcontext state line
        typeset -A opt_args
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        shift words
        (( CURRENT-- ))
        case $words[1] in
      \(Command.all.map(arguments).joined(separator: "\n"))
        esac
      }
      _whorl "$@"

      """
  }

  private static func arguments(_ command: Command) -> String {
    var specs = (command.options + [.help]).map(spec)
    switch command.items {
    case .none: break
    case .one: specs.append("'1:item:_whorl_items'")
    case .many: specs.append("'*:item:_whorl_items'")
    }
    if !command.words.isEmpty {
      specs.append("'1:word:(\(command.words.joined(separator: " ")))'")
    }
    if command.options.contains(where: \.takesItems) { specs.append("'*::program:_normal'") }
    return "    \(command.name)) _arguments \(specs.joined(separator: " ")) ;;"
  }

  private static func spec(_ option: Option) -> String {
    let long = "--" + option.name
    let about = "[\(quoted(option.summary))]"
    if let value = option.value {
      let action =
        option.takesItems
        ? "_sequence _whorl_items"
        : option.words.isEmpty ? " " : "(\(option.words.joined(separator: " ")))"
      let short = option.short.map { "'*-\($0)\(about):\(value):\(action)' " } ?? ""
      return short + "'*\(long)=\(about):\(value):\(action)'"
    }
    guard let short = option.short else { return "'\(long)\(about)'" }
    return "'(-\(short) \(long))'{-\(short),\(long)}'\(about)'"
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
