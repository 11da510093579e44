import AccessControl
import SecretMemory
import WhorlClient
import Wire

extension Command {
  static let update = Command(
    name: "update", synopsis: "[options] NAME", summary: "change an item",
    text: """
      Without options, or with --secret, the secret is replaced, from the standard input or by \
      prompts as in add. With options, what they name is changed and the rest stays. An empty \
      value in --attr removes the attribute. A gated item asks first.
      """,
    options: [
      Option(name: "secret", summary: "replace the secret as well"),
      Option(name: "rename", value: "NAME", summary: "give it another name"),
      .access, .itemClass, .reuse, .store, .label, .attribute, .empty, .reason, .group,
      .noInteraction,
    ], items: .one
  ) { arguments throws(CommandError) in
    let item = try arguments.items(1...1)[0]
    let keychain = Client.keychain(arguments)
    let old = try attempt(about: item) { () throws(KeychainError) in try keychain.show(item).row }
    var changes = Changes()
    if let rename = arguments.value("rename") { changes.identity = try arguments.item(rename) }
    if arguments.has("label") || arguments.has("attr") {
      changes.attributes = try arguments.attributes(changing: old.attributes)
    }
    if ["access", "class", "reuse"].contains(where: arguments.has) {
      changes.accessControl = try AccessOptions.control(arguments, changing: old.accessControl)
    }
    changes.store = try StoreOption.store(arguments)
    let isNew = arguments.has("secret") || changes == Changes()
    let secret = isNew ? try SecretInput.secret(named: item.name.bytes, arguments) : nil
    let options = try Client.options(arguments)
    let problem: KeychainError?
    do throws(KeychainError) {
      problem = try keychain.update(item, changes, secret: secret, options: options)
    } catch {
      // What is taken is the new name, and advice about the old one would overwrite the wrong item.
      throw CommandError(
        error, about: error.code == .duplicate ? changes.identity ?? item : item)
    }
    if let problem { Output.error(Advice.unplaced(problem)) }
    return 0
  }
}
