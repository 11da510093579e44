import WhorlClient

extension Command {
  static let lock = Command(
    name: "lock", synopsis: "", summary: "lock your items until the next unlock of the session",
    text: "Ends what was kept for reuse as well."
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let keychain = Client.silentKeychain(arguments)
    try attempt { () throws(KeychainError) in try keychain.lock() }
    return 0
  }
}
