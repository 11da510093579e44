extension Command {
  static let help = Command(
    name: "help", synopsis: "[COMMAND|exit|man]", summary: "explain the commands",
    text: "“exit” prints the table of exit statuses, “man” the manual page.",
    words: ["exit", "man"], isAboutItems: false
  ) { arguments throws(CommandError) in
    guard let topic = arguments.names.first else {
      try Output.print(HelpText.all)
      return 0
    }
    switch String(decoding: topic, as: UTF8.self) {
    case "exit": try Output.print(ExitTable.text)
    case "man": try Output.print(ManPage.text)
    default: try Output.print(HelpText.of(.named(topic)))
    }
    return 0
  }
}
