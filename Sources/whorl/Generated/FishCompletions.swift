/// For fish; names of items come from `whorl list`.
enum FishCompletions {
  static var text: String {
    var lines = [functions, "complete -c whorl -f"]
    for command in Command.all {
      lines.append(
        "complete -c whorl -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'"
      )
      let seen = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options + [.help] {
        let short = option.short.map { " -s \($0)" } ?? ""
        let words = option.takesItems ? "(__whorl_list)" : option.words.joined(separator: " ")
        let value = option.value == nil ? "" : words.isEmpty ? " -x" : " -x -a '\(words)'"
        lines.append(
          "complete -c whorl -n '\(seen)' -l \(option.name)\(short)\(value) -d '\(quoted(option.summary))'"
        )
      }
      let words = command.items == .none ? command.words.joined(separator: " ") : "(__whorl_items)"
      if !words.isEmpty { lines.append("complete -c whorl -n '\(seen)' -a '\(words)'") }
      if command.options.contains(where: \.takesItems) {
        lines.append(
          "complete -c whorl -n '\(seen); and contains -- -- (commandline -opc)' -F "
            + "-a '(__fish_complete_command)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let functions = """
    function __whorl_items
        set -l words (commandline -opc)
        set -l group whorl
        for index in (seq (count $words))
            switch $words[$index]
                case --group
                    set group $words[(math $index + 1)]
                case '--group=*'
                    set group (string replace -- --group= '' $words[$index])
            end
        end
        whorl list -0 --group $group 2>/dev/null | string split0
    end

    function __whorl_list
        set -l typed (commandline -ct | string replace -r '^--[a-z]*=' '')
        set -l plain (string unescape -- $typed; or echo -- $typed)
        set -l before (string match -r '.*,' -- $plain)
        for item in (__whorl_items)
            echo "$before$item"
        end
    end

    """

  private static func quoted(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        character == "'" || character == "\\" ? ["\\", character] : [character]
      })
  }
}
