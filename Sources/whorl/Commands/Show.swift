import WhorlClient

extension Command {
  static let show = Command(
    name: "show", synopsis: "[options] NAME",
    summary: "tell everything about an item but its secret",
    text: "Never asks. Says whether the item was invalidated, and by what.",
    options: [.json, .group], items: .one
  ) { arguments throws(CommandError) in
    let item = try arguments.items(1...1)[0]
    let keychain = Client.silentKeychain(arguments)
    let detail = try attempt(about: item) { () throws(KeychainError) in
      try keychain.show(item)
    }
    try Output.print(arguments.has("json") ? ItemText.json(detail).encoded : ItemText.text(detail))
    return 0
  }
}
