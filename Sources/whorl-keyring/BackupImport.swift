import AccessControl
import Crypto
import Linux
import SecretMemory
import Transfer
import WhorlClient
import Wire

/// `whorl import backup`.
struct BackupImport {
  private let arguments: Arguments
  private let path: [UInt8]
  /// Where all items go, if that was said.
  private let store: StoreKind?
  /// The longest file, in bytes.
  private static let limit = 1 << 30

  init(_ arguments: Arguments) throws(CommandError) {
    for option in ["access", "class", "reuse", "group", "move", "attribute"] {
      guard !arguments.has(option) else {
        throw CommandError(
          usage: "a backup keeps items as they were: no --\(option)", arguments.command.usage)
      }
    }
    self.arguments = arguments
    path = arguments.names[1]
    store = try StoreOption.store(arguments)
  }

  func run() throws(CommandError) -> Int32 {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try RegularFile.bytes(path, limit: Self.limit) } catch {
      throw CommandError(reading: path, error)
    }
    do throws(CryptoError) { try Crypto.initialize() } catch {
      throw CommandError(BackupError.exhausted)
    }
    try attemptBackup { () throws(BackupError) in try BackupReader.check(bytes) }
    let passphrase = try Passphrase.old(arguments)
    let backup = try attemptBackup { () throws(BackupError) in
      try BackupReader(bytes, passphrase: passphrase)
    }
    return try restore(backup)
  }

  /// The item as it is to be here.
  ///
  /// - Parameter present: where the items are kept that are here now. One that is replaced stays there
  ///   unless something else was said, which the first version of backups could not say.
  private func wanted(_ item: BackupItem, _ present: [ItemIdentity: StoreKind]) -> NewItem {
    var wanted = item.item
    wanted.store = store ?? wanted.store ?? present[wanted.identity]
    return wanted
  }

  /// Before the first item is stored: half of a backup is where nobody looks for the other.
  private func requireKeyring() throws(CommandError) {
    let wait = StoreWait(mayAsk: !arguments.has("no-interaction"))
    do throws(KeyringProblem) { try SecretServiceItemStore().prepare(wait) } catch {
      let word = (path.first == UInt8(ascii: "-") ? "-- " : "") + (Advice.shellWord(path) ?? "FILE")
      let failure = CommandError(KeychainError(keyring: error))
      throw CommandError(
        status: failure.status, failure.message + "; nothing was restored",
        advice: failure.advice + [
          "Items of this backup are to be in your keyring. To restore all of them with whorld:",
          "“whorl import backup --store default \(word)”",
        ])
    }
  }

  private func restore(_ backup: BackupReader) throws(CommandError) -> Int32 {
    let keychain = Client.silentKeychain(arguments)
    let rows = try attempt { () throws(KeychainError) in try keychain.list() }
    let present = Dictionary(rows.map { ($0.identity, $0.store) }) { first, _ in first }
    let isDryRun = arguments.has("dry-run")
    let replaces = arguments.has("replace")
    let options = RequestOptions(allowsInteraction: !arguments.has("no-interaction"))
    let items = backup.items.map { wanted($0, present) }
    var report = ImportReport(total: items.count, isDryRun: isDryRun)
    if !isDryRun,
      items.contains(where: {
        $0.store == .secretService && (replaces || present[$0.identity] == nil)
      })
    {
      try requireKeyring()
    }
    for (index, item) in items.enumerated() {
      defer { report.advance() }
      let identity = item.identity
      guard replaces || present[identity] == nil else {
        report.present += 1
        continue
      }
      guard !isDryRun else {
        report.imported += 1
        try Output.print(quoted(identity.name.bytes))
        continue
      }
      let secret = try attemptBackup { () throws(BackupError) in try backup.secret(at: index) }
      do throws(KeychainError) {
        let problem =
          replaces
          ? try keychain.addReplacing(item, secret: secret, options: options)
          : try keychain.add(item, secret: secret, options: options)
        report.imported += 1
        if let problem { report.say(Advice.unplaced(problem)) }
      } catch {
        let failure = CommandError(error, about: identity)
        // Without a finger enrolled here, what needs one cannot be stored; the rest can.
        guard error.problem == nil, [.notEnrolled, .passcodeNotSet, .noReader].contains(error.code)
        else { throw failure }
        report.fail(failure.message)
      }
    }
    return try report.end()
  }
}
