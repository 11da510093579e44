import WhorlClient

extension Command {
  static let rearm = Command(
    name: "rearm", synopsis: "[options] NAME",
    summary: "bind an invalidated item to the fingerprints of now",
    text: """
      Needs your password, never a finger, so only an item that opens by password too can be \
      bound again.
      """,
    options: [.reason, .group, .noInteraction], items: .one
  ) { arguments throws(CommandError) in
    let item = try arguments.items(1...1)[0]
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    let problem: KeychainError?
    do throws(KeychainError) { problem = try keychain.rearm(item, options: options) } catch {
      guard error.code == .invalidated, error.problem == nil else {
        throw CommandError(error, about: item)
      }
      // An item that a finger alone opens: whoever advises to re-arm it turns in a circle.
      throw CommandError(
        status: error.code.exitStatus,
        "\(quoted(item.name.bytes)): invalidated, and no password opens it to bind it again",
        advice: ["\(Advice.command("add --replace", item)) stores it anew."])
    }
    if let problem { Output.error(Advice.unplaced(problem)) }
    return 0
  }
}
