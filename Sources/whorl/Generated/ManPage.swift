import Product

/// The manual page, in man(7) source, from the table of commands.
enum ManPage {
  static var text: String {
    var text = """
      .TH WHORL 1 "" "whorl \(Product.version)" "User Commands"
      .SH NAME
      whorl \\- secrets that open by your finger or your password
      .SH SYNOPSIS
      .B whorl
      .I COMMAND
      .RI [ options ]
      .RI [ NAME \\&...]
      .SH DESCRIPTION
      A secret is stored as an item with an access control. A read of it makes you prove that you
      are there, by the fingerprint reader or the account's password. Prompts go to the terminal,
      never to the standard output. Without a terminal, the desktop is asked on: by polkit's agent, a
      notification, and pinentry.
      .PP

      """
    text += escaped(HelpText.names) + "\n.SH COMMANDS\n"
    for command in Command.all {
      text += ".SS \"whorl \(escaped(command.name + " " + command.synopsis))\"\n"
      text += escaped(HelpText.capitalized(command.summary)) + ".\n"
      if !command.aliases.isEmpty {
        text += "Also called \(escaped(command.aliases.joined(separator: ", "))).\n"
      }
      for paragraph in command.text.split(separator: "\n\n") {
        text += ".PP\n" + escaped(String(paragraph)) + "\n"
      }
      for option in command.options {
        text += ".TP\n.B " + escaped(HelpText.spelled(option)) + "\n"
        text += escaped(option.summary) + "\n"
      }
    }
    text += ".SH EXIT STATUS\n.TP\n.B 0\ndone\n"
    for row in ExitTable.rows { text += ".TP\n.B \(row.status)\n\(escaped(row.meaning))\n" }
    text += """
      .SH ENVIRONMENT
      .TP
      .B WHORL_SOCKET
      the socket of the service, in place of /run/whorl/whorl.sock
      .SH FILES
      .TP
      .I $XDG_CONFIG_HOME/whorl/whorl.conf
      by default in ~/.config: lines of key = value. \\(dqstore\\(dq is where new items are kept of which
      nothing else is said, default or secret\\-service; \\(dqcollection\\(dq is the label of the
      collection that they go to in your keyring.
      .SH SEE ALSO
      .BR fprintd (8),
      .BR whorld (8)

      """
    return text
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "…": result += "..."
      case "“", "”": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}
