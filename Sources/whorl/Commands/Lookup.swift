import Linux
import WhorlClient
import Wire

extension Command {
  static let lookup = Command(
    name: "lookup", synopsis: "[options] KEY VALUE…",
    summary: "print the secret found by attributes",
    text: """
      As secret-tool lookup does it, for items of Whorl: prints the secret of the item that has all \
      these attributes, byte for byte, with a newline only on a terminal. Of several, the one that \
      changed last. The words service, account and so on mean what add and list mean by them, and \
      where no item is found so, attributes of these very names, as imported items have them.
      """,
    options: [.reason, .groupAlone, .noInteraction]
  ) { arguments throws(CommandError) in
    let words = arguments.names
    guard !words.isEmpty, words.count % 2 == 0 else {
      throw CommandError(usage: "KEY and VALUE come in pairs", arguments.command.usage)
    }
    let pairs = stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
    try Output.requireWritable()
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    let secret = try attempt(group: arguments.group) { () throws(KeychainError) in
      var matching = Attributes()
      for (key, value) in pairs { matching[AttributeName.code(key)] = value }
      var found = try newest(matching, arguments, keychain)
      if found == nil {
        matching = Attributes()
        for (key, value) in pairs { matching[key] = value }
        found = try newest(matching, arguments, keychain)
      }
      guard let found else { throw KeychainError(.notFound) }
      return try keychain.read(found, options: options)
    }
    try Output.write(secret)
    if BlockingStream.standardOutput.isTerminal { try Output.write([UInt8(ascii: "\n")]) }
    return 0
  }

  private static func newest(
    _ matching: Attributes, _ arguments: Arguments, _ keychain: Keychain
  ) throws(KeychainError) -> ItemIdentity? {
    let query = Query(groups: arguments.allValues("group"), matching: matching)
    return try keychain.list(query).filter { $0.identity.itemClass != .key }
      .max { ($0.modified, $0.row) < ($1.modified, $1.row) }?.identity
  }
}
