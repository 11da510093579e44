import WhorlClient
import Wire

extension Command {
  static let list = Command(
    name: "list", synopsis: "[options]", summary: "name the items",
    text: """
      Never asks. Lists the items of every access group, or of the one that --group names; \
      --attr KEY=VALUE and --service keep those that match.
      """,
    options: [
      .json, .attribute,
      Option(name: "service", value: "SERVICE", summary: "items of this service only"), .group,
    ]
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    var matching = try arguments.attributes()
    if let service = arguments.value("service") { matching["svce"] = service }
    let query = Query(groups: arguments.allValues("group"), matching: matching)
    let keychain = Client.silentKeychain(arguments)
    let rows = try attempt { () throws(KeychainError) in try keychain.list(query) }
    if arguments.has("json") {
      try Output.print(JSON.array(rows.map { .object(ItemText.json($0)) }).encoded)
    } else if !rows.isEmpty {
      try Output.print(rows.map(ItemText.line).joined(separator: "\n"))
    }
    return 0
  }
}
