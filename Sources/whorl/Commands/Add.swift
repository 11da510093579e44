import AccessControl
import WhorlClient
import Wire

extension Command {
  static let add = Command(
    name: "add", synopsis: "[options] NAME", summary: "store a secret",
    text: """
      The secret is the standard input to its end, byte for byte, a last newline included; on a \
      terminal it is asked for twice and not shown. It is never an argument, where every process \
      of the machine could see it. It holds 1 MiB at most, and typed 1024 bytes.

      Without --access a read needs userPresence: a finger, or the account's password. With \
      --replace what --access, --class, --reuse and --store leave out is as it was.
      """,
    options: [
      .access, .itemClass, .reuse, .store, .label, .attribute,
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
    let keychain = Client.silentKeychain(arguments)
    let old = try replaced(item, keychain, arguments)
    let control = try AccessOptions.control(arguments, changing: old?.accessControl)
    let new = NewItem(
      identity: item, attributes: try arguments.attributes(), accessControl: control,
      store: try StoreOption.store(arguments, replacing: old))
    if SecretInput.willAsk || control.needsApplicationPassword, TerminalPrompter().isAvailable {
      try requireStorable(new, keychain, arguments)
    }
    let secret = try SecretInput.secret(named: item.name.bytes, arguments)
    let password =
      control.needsApplicationPassword ? try SecretInput.applicationPassword(arguments) : nil
    let problem = try attempt(about: item) { () throws(KeychainError) in
      if arguments.has("replace") {
        return try keychain.addReplacing(new, secret: secret, applicationPassword: password)
      } else {
        return try keychain.add(new, secret: secret, applicationPassword: password)
      }
    }
    if let problem { Output.error(Advice.unplaced(problem)) }
    return 0
  }

  /// What --replace overwrites: a new secret does not weaken it unsaid, nor move it.
  private static func replaced(
    _ item: ItemIdentity, _ keychain: Keychain, _ arguments: Arguments
  ) throws(CommandError) -> ItemRow? {
    guard arguments.has("replace"),
      !["access", "class", "reuse", "store"].allSatisfy(arguments.has)
    else {
      return nil
    }
    return try attempt(about: item) { () throws(KeychainError) in
      do throws(KeychainError) { return try keychain.show(item).row } catch {
        guard error.code == .notFound else { throw error }
        return nil
      }
    }
  }

  /// Fails before anybody types a secret that could not be stored.
  private static func requireStorable(
    _ new: NewItem, _ keychain: Keychain, _ arguments: Arguments
  ) throws(CommandError) {
    try attempt(about: new.identity) { () throws(KeychainError) in
      if new.accessControl.constraint.bindsEnrollment, try keychain.domainState() == nil {
        throw KeychainError(.notEnrolled)
      }
      guard !arguments.has("replace") else { return }
      do throws(KeychainError) { _ = try keychain.show(new.identity) } catch {
        guard error.code == .notFound else { throw error }
        return
      }
      throw KeychainError(.duplicate)
    }
  }
}
