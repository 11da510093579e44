/// What `whorl help` prints, from the table of commands.
enum HelpText {
  static let usage = "usage: whorl COMMAND [options] [NAME…]; “whorl help” lists the commands"

  /// What holds of names in every command.
  static let names =
    "NAME is [SERVICE/]ACCOUNT. The service ends at the last slash: “a/b/c” is the account c of the "
    + "service a/b, and “/a” is the same as “a”. After “--” a name may begin with a dash."

  static var all: String {
    var text = "whorl keeps secrets that open by your finger or your password.\n\n"
    for command in Command.all {
      text += "  whorl " + padded(command.name, 14) + command.summary + "\n"
    }
    return text + "\n" + wrapped(names, 0) + "\n\n"
      + "“whorl help COMMAND” explains one, “whorl help exit” the exit statuses.\n"
  }

  static func of(_ command: Command) -> String {
    var text = command.usage + "\n" + capitalized(command.summary) + ".\n"
    if !command.aliases.isEmpty {
      text += "Also called \(command.aliases.joined(separator: ", ")).\n"
    }
    if !command.text.isEmpty { text += "\n" + wrapped(command.text, 0) + "\n" }
    text += "\n"
    for option in command.options + [.help] {
      text += "  " + spelled(option) + "\n" + wrapped(option.summary, 6) + "\n"
    }
    return text
  }

  static func spelled(_ option: Option) -> String {
    (option.short.map { "-\($0), " } ?? "") + "--" + option.name
      + (option.value.map { " " + $0 } ?? "")
  }

  static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  /// Breaks lines at 80 columns; empty lines stay.
  private static func wrapped(_ text: String, _ indent: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
      var lines: [String] = []
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, indent + line.count + word.count + 1 > 80 {
          lines.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      lines.append(line)
      return lines.map { ($0.isEmpty ? "" : String(repeating: " ", count: indent)) + $0 }
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
