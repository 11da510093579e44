/// For bash: what stands before the cursor decides, names of items come from `whorl list`.
enum BashCompletions {
  static var text: String {
    functions + commands + body
  }

  /// What was typed is taken apart here: bash's own words are cut at `=`, `:` and `@`, and it
  /// replaces only what stands behind, its second argument.
  private static let functions = #"""
    # The words up to the cursor. Quotes and backslashes are taken off; nothing is executed.
    _whorl_scan() {
      local text=$1 char
      words=() typed='' plain='' quote=''
      while [[ -n $text ]]; do
        char=${text:0:1} text=${text:1}
        case $quote$char in
          '\' | '"\') typed+=$char${text:0:1} plain+=${text:0:1} text=${text:1} ;;
          "'" | '"') quote=$char typed+=$char ;;
          "''" | '""') quote='' typed+=$char ;;
          [[:space:]])
            [[ -n $typed ]] && words+=("$plain")
            typed='' plain=''
            ;;
          *) typed+=$char plain+=$char ;;
        esac
      done
    }

    # Offers what begins with $1, with $2 before it, in place of what bash replaces.
    _whorl_offer() {
      local value=$1 before=$2 cut=${typed%"$replaced"} candidate quoted
      shift 2
      for candidate; do
        [[ $candidate == "$value"* ]] || continue
        case $quote in
          '') printf -v quoted %q "$candidate" ;;
          "'") [[ $candidate == *"'"* ]] && continue; quoted=$candidate ;;
          '"') [[ $candidate == *['"\$`!']* ]] && continue; quoted=$candidate ;;
        esac
        quoted=$before$quoted
        COMPREPLY+=("${quoted#"$cut"}")
      done
    }

    _whorl_items() {
      local group=whorl index item
      for ((index = 2; index < ${#words[@]}; index++)); do
        case ${words[index]} in
          --group) group=${words[index + 1]} ;;
          --group=*) group=${words[index]#--group=} ;;
        esac
      done
      items=()
      while IFS= read -r -d '' item; do
        items+=("$item")
      done < <(whorl list -0 --group "$group" 2>/dev/null)
    }


    """#

  private static var commands: String {
    let cases = Command.all.map { command in
      let options = command.options + [.help]
      let flags = options.filter { $0.value == nil }.map { "--" + $0.name }
      let valued = options.filter { $0.value != nil }.map { "--" + $0.name }
      var parts = ["flags='\(flags.joined(separator: " "))'"]
      if !valued.isEmpty { parts.append("valued='\(valued.joined(separator: " "))'") }
      if !command.words.isEmpty { parts.append("others='\(command.words.joined(separator: " "))'") }
      if command.items != .none { parts.append("takes=\(command.items)") }
      return "    \(command.name)) \(parts.joined(separator: " ")) ;;"
    }
    var values: [String] = []
    for option in Command.all.flatMap(\.options) {
      let line = "    --\(option.name)) others='\(option.words.joined(separator: " "))' ;;"
      if !option.words.isEmpty, !values.contains(line) { values.append(line) }
    }
    let lists = Set(Command.all.flatMap(\.options).filter(\.takesItems).map { "--" + $0.name })
    return """
      _whorl_command() {
        case $1 in
      \(cases.joined(separator: "\n"))
        esac
      }

      _whorl_value() {
        others='' takes=''
        case $1 in
      \(values.joined(separator: "\n"))
          \(lists.sorted().joined(separator: " | "))) takes=list ;;
        esac
      }

      _whorl_names='\(Command.all.map(\.name).joined(separator: " "))'


      """
  }

  private static let body = #"""
    _whorl() {
      local replaced=$2 words typed plain quote option value before='' items=()
      local flags='' valued='' others='' takes='' word count=0
      COMPREPLY=()
      _whorl_scan "${COMP_LINE:0:COMP_POINT}"
      if ((${#words[@]} < 2)); then
        _whorl_offer "$plain" '' $_whorl_names
        return
      fi
      _whorl_command "${words[1]}"
      for word in "${words[@]:2}"; do
        [[ $word == -- ]] && valued='' flags=''
        if [[ $word == -- && ${words[1]} == run ]]; then
          compopt -o default
          [[ ${words[-1]} == -- ]] && COMPREPLY=($(compgen -c -- "$typed"))
          return
        fi
      done
      option=${words[-1]} value=$plain
      [[ $plain == --*=* ]] && option=${plain%%=*} value=${plain#*=} before=$option=
      if [[ " $valued " == *" $option "* ]]; then
        _whorl_value "$option"
      elif [[ $plain == -* && -n $flags ]]; then
        others="$flags $valued" takes='' value=$plain before=''
      else
        value=$plain before=''
      fi
      if [[ $takes == list ]]; then
        compopt -o nospace
        [[ $value == *,* ]] && value=${value##*,} before=${typed%,*},
      fi
      [[ -n $takes ]] && _whorl_items
      _whorl_offer "$value" "$before" $others "${items[@]}"
    }
    complete -F _whorl whorl

    """#
}
