import WhorlClient
import Wire

extension Command {
  static let remove = Command(
    name: "rm", synopsis: "[options] NAME…", summary: "delete items",
    text: "Never asks. Takes up to 64 names, and stops at the first that cannot be deleted.",
    options: [.group], items: .many
  ) { arguments throws(CommandError) in
    let keychain = Client.silentKeychain(arguments)
    for item in try arguments.items(1...Limits.items) {
      try attempt(about: item) { () throws(KeychainError) in try keychain.delete(item) }
    }
    return 0
  }
}
