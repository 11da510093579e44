import Linux
import WhorlClient
import Wire

extension Command {
  static let read = Command(
    name: "read", synopsis: "[options] NAME…", summary: "print secrets",
    text: """
      Several names are one request and one act of yours. One secret is printed byte for byte, \
      with a newline only on a terminal; several are printed in order, each ended by a newline \
      or, with -0, by a zero byte. One request takes up to 64 names and 4 MiB of secrets.
      """,
    options: [
      Option(name: "null", short: "0", summary: "end each secret with a zero byte"),
      .reason, .group, .noInteraction,
    ], items: .many
  ) { arguments throws(CommandError) in
    let items = try arguments.items(1...Limits.items)
    try Output.requireWritable()
    let keychain = Client.keychain(arguments)
    let options = try Client.options(arguments)
    let secrets = try attempt(about: items.count == 1 ? items[0] : nil, group: arguments.group) {
      () throws(KeychainError) in try keychain.read(items, options: options)
    }
    for secret in secrets {
      try Output.write(secret)
      if arguments.has("null") {
        try Output.write([0])
      } else if secrets.count > 1 || BlockingStream.standardOutput.isTerminal {
        try Output.write([UInt8(ascii: "\n")])
      }
    }
    return 0
  }
}
