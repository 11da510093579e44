import WhorlClient

extension Command {
  static let purge = Command(
    name: "purge", synopsis: "--yes ACCOUNT",
    summary: "delete all items of an account, for good",
    text: """
      For root, and for administrators, whom polkit asks. Deletes items, keys and the login secret of \
      an account, also of one that is gone; a backup of the keys made before still opens a copy of \
      the items made before. The record stays, and tells it.
      """,
    options: [
      Option(name: "yes", summary: "say that you mean it"), .noInteraction,
    ], isAboutItems: false
  ) { arguments throws(CommandError) in
    guard arguments.names.count == 1 else {
      throw CommandError(usage: "say whose items are to go", arguments.command.usage)
    }
    guard arguments.has("yes") else {
      throw CommandError(
        usage:
          "all items of \(quoted(arguments.names[0])) would go for good: say --yes if you mean it",
        arguments.command.usage)
    }
    let keychain = Client.silentKeychain(arguments)
    let options = try Client.options(arguments)
    try administer { () throws(KeychainError) in
      try keychain.purge(user: arguments.names[0], options: options)
    }
    return 0
  }
}
