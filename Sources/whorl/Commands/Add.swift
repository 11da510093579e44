import AccessControl
import WhorlClient
import Wire

extension Command {
  static let add = Command(
    name: "add", synopsis: "[options] NAME", summary: "store a secret",
    text: """
      The secret is the standard input to its end, byte for byte, a \
      last newline included; on a terminal it is asked for twice and not shown. It is never an \
      argument, where every process of the machine could see it.

      Without --access a read needs userPresence: a finger, or the account's password.
      """,
    options: [
      .access, .itemClass, .reuse, .label, .attribute,
      Option(name: "replace", summary: "overwrite an item of the same name, in one step"),
      Option(
        name: "application-password",
        summary: "ask for a password of the item's own, needed for each read as well"),
      .empty, .group, .noInteraction,
    ]
  ) { arguments throws(CommandError) in
    guard arguments.names.count < 2 else {
      throw CommandError(
        usage: "one name only; the secret comes from the standard input or a prompt, "
          + "since any process can see arguments", arguments.command.usage)
    }
    let item = try arguments.items(1...1)[0]
    let control = try AccessOptions.control(arguments)
    let new = NewItem(
      identity: item, attributes: try arguments.attributes(), accessControl: control)
    let secret = try SecretInput.secret(named: item.name.bytes, arguments)
    let password =
      control.needsApplicationPassword ? try SecretInput.applicationPassword(arguments) : nil
    let keychain = Client.silentKeychain(arguments)
    try attempt(about: item) { () throws(KeychainError) in
      if arguments.has("replace") {
        try keychain.addReplacing(new, secret: secret, applicationPassword: password)
      } else {
        try keychain.add(new, secret: secret, applicationPassword: password)
      }
    }
    return 0
  }
}
