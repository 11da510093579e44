import WhorlClient

extension Command {
  static let lock = Command(
    name: "lock", synopsis: "", summary: "lock your items until you unlock the screen or log in",
    text: """
      Ends what was kept for reuse as well. Fails where no login session is known, as without \
      logind: nothing would unlock your items again.
      """
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let keychain = Client.silentKeychain(arguments)
    do throws(KeychainError) { try keychain.lock() } catch {
      guard error.code == .unavailable, error.problem == nil else { throw CommandError(error) }
      throw CommandError(
        status: error.code.exitStatus,
        "nothing was locked: you have no login session that an unlock could follow",
        advice: ["What was kept for reuse was ended, so the next read asks."])
    }
    return 0
  }
}
