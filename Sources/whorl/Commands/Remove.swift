import WhorlClient
import Wire

extension Command {
  static let remove = Command(
    name: "rm", synopsis: "[options] NAME…", summary: "delete items",
    text: "Never asks. Takes up to 64 names, and stops at the first that cannot be deleted.",
    options: [.group], items: .many
  ) { arguments throws(CommandError) in
    let keychain = Client.silentKeychain(arguments)
    var deleted: [String] = []
    for item in try arguments.items(1...Limits.items) {
      do throws(CommandError) {
        try attempt(about: item) { () throws(KeychainError) in try keychain.delete(item) }
      } catch {
        var error = error
        if !deleted.isEmpty {
          error.advice.insert("Deleted before it: \(deleted.joined(separator: ", ")).", at: 0)
        }
        throw error
      }
      deleted.append(quoted(item.name.bytes))
    }
    return 0
  }
}
