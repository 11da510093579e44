import Linux
import WhorlClient
import Wire

extension Command {
  static let list = Command(
    name: "list", synopsis: "[options]", summary: "name the items",
    aliases: ["ls"],
    text: """
      Never asks. Lists the items of every access group, or of the one that --group names; \
      --attr KEY=VALUE and --service keep those that match. With -0 nothing but names is printed, \
      as they are, for programs.
      """,
    options: [
      .json,
      Option(name: "null", short: "0", summary: "print bare names, each ended by a zero byte"),
      .attribute,
      Option(name: "service", value: "SERVICE", summary: "items of this service only"), .groupAlone,
    ]
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let isBare = arguments.has("null")
    guard !isBare || !BlockingStream.standardOutput.isTerminal else {
      throw CommandError(
        usage: "names as they are do not go to a terminal", arguments.command.usage)
    }
    var matching = try arguments.wantedAttributes()
    if let service = arguments.value("service") { matching["svce"] = service }
    let query = Query(groups: arguments.allValues("group"), matching: matching)
    let keychain = Client.silentKeychain(arguments)
    let rows = ItemText.sorted(
      try attempt { () throws(KeychainError) in try keychain.list(query) })
    if isBare {
      try Output.write(rows.flatMap { $0.identity.name.bytes + [0] })
    } else if arguments.has("json") {
      try Output.print(JSON.array(rows.map { .object(ItemText.json($0)) }).encoded)
    } else if !rows.isEmpty {
      try Output.print(rows.map(ItemText.line).joined(separator: "\n"))
    }
    return 0
  }
}
