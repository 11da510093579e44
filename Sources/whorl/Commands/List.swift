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
      as they are, for programs. With --user, an administrator lists the items of another account.
      """,
    options: [
      .json,
      Option(name: "null", short: "0", summary: "print bare names, each ended by a zero byte"),
      .attribute,
      Option(name: "service", value: "SERVICE", summary: "items of this service only"), .groupAlone,
      .user, .noInteraction,
    ]
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let isBare = arguments.has("null")
    guard !isBare || !BlockingStream.standardOutput.isTerminal else {
      throw CommandError(
        usage: "names as they are do not go to a terminal", arguments.command.usage)
    }
    if let user = arguments.value("user") { return try listOthers(user, arguments) }
    var matching = try arguments.wantedAttributes()
    if let service = arguments.value("service") { matching["svce"] = service }
    let query = Query(groups: arguments.allValues("group"), matching: matching)
    let keychain = Client.silentKeychain(arguments)
    let rows = ItemText.sorted(
      try attempt { () throws(KeychainError) in try keychain.list(query) })
    try print(rows, arguments)
    return 0
  }

  private static func print(_ rows: [ItemRow], _ arguments: Arguments) throws(CommandError) {
    if arguments.has("null") {
      try Output.write(rows.flatMap { $0.identity.name.bytes + [0] })
    } else if arguments.has("json") {
      try Output.print(JSON.array(rows.map { .object(ItemText.json($0)) }).encoded)
    } else if !rows.isEmpty {
      try Output.print(rows.map(ItemText.line).joined(separator: "\n"))
    }
  }

  private static func listOthers(
    _ user: [UInt8], _ arguments: Arguments
  ) throws(CommandError) -> Int32 {
    for name in ["attr", "service", "group"] where arguments.has(name) {
      throw CommandError(usage: "--user goes with no --\(name)", arguments.command.usage)
    }
    let keychain = Client.silentKeychain(arguments)
    let options = try Client.options(arguments)
    try print(
      ItemText.sorted(
        try administer { () throws(KeychainError) in
          try keychain.list(ofUser: user, options: options)
        }), arguments)
    return 0
  }
}
