import WhorlClient

extension Command {
  static let rearm = Command(
    name: "rearm", synopsis: "[options] NAME",
    summary: "bind an invalidated item to the fingerprints of now",
    text: """
      Needs your password, never a finger, so only an item that opens by password too can be \
      bound again.
      """,
    options: [.reason, .group, .noInteraction]
  ) { arguments throws(CommandError) in
    let item = try arguments.items(1...1)[0]
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    try attempt(about: item) { () throws(KeychainError) in
      try keychain.rearm(item, options: options)
    }
    return 0
  }
}
