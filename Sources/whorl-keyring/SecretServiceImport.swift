import AccessControl
import SecretMemory
import SecretService
import Transfer
import WhorlClient
import Wire

/// `whorl import secret-service`.
struct SecretServiceImport {
  private let arguments: Arguments
  private let accessControl: AccessControl
  private let matching: [(name: [UInt8], value: [UInt8])]
  private let moves: Bool
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    guard !arguments.has("store") else {
      throw CommandError(usage: "--store is for backup only", arguments.command.usage)
    }
    self.arguments = arguments
    accessControl = try AccessOptions.importControl(arguments)
    var matching: [(name: [UInt8], value: [UInt8])] = []
    for pair in arguments.allValues("attribute") {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
        throw CommandError(usage: "--attribute needs KEY=VALUE", arguments.command.usage)
      }
      matching.append((Array(pair[..<equals]), Array(pair[(equals + 1)...])))
    }
    self.matching = matching
    moves = arguments.has("move")
    isDryRun = arguments.has("dry-run")
  }

  func run() throws(CommandError) -> Int32 {
    let keyring = try attemptKeyring { () throws(KeyringError) in try Keyring() }
    let (found, dangling) = try unlocked(keyring)
    let importer = try attempt { () throws(KeychainError) in
      try Importer(
        Client.keychain(arguments), group: arguments.group, accessControl: accessControl)
    }
    var run = Run(
      keyring: keyring, importer: importer, moves: moves, isDryRun: isDryRun,
      replaces: arguments.has("replace"),
      report: ImportReport(total: found.count, isDryRun: isDryRun))
    for path in dangling {
      run.report.fail("the keyring lists \(quoted(path)), and has no such item")
    }
    for item in found {
      try run.take(item)
      run.report.advance()
    }
    try run.moveImported()
    run.report.sayUnfinished(importer)
    return try run.report.end()
  }

  private typealias Found = (items: [KeyringItem], dangling: [[UInt8]])

  /// The items, once they are unlocked, as far as the person does so.
  private func unlocked(_ keyring: Keyring) throws(CommandError) -> Found {
    try attemptKeyring { () throws(KeyringError) in
      let found = try unsealed(keyring)
      let locked = found.items.filter(\.isLocked)
      guard !locked.isEmpty else { return found }
      guard !isDryRun else {
        Output.error(
          "whorl: note: "
            + (locked.count == 1
              ? "1 item is locked; it may get another name"
              : "\(locked.count) items are locked; they may get other names"))
        return found
      }
      do throws(KeyringError) {
        guard !arguments.has("no-interaction") else { throw .locked }
        try keyring.unlock(locked)
      } catch {
        // One collection may be open and another stay locked.
        guard error.isAboutItem, locked.count < found.items.count else { throw error }
      }
      return try unsealed(keyring)
    }
  }

  /// What Whorl itself keeps there is none to import.
  private func unsealed(_ keyring: Keyring) throws(KeyringError) -> Found {
    let mark = Array("whorl:form".utf8)
    let found = try keyring.search(matching)
    let items = found.items.filter { item in !item.attributes.contains { $0.name == mark } }
    return (items, found.dangling)
  }
}

extension SecretServiceImport {
  /// One pass over the items.
  struct Run {
    let keyring: Keyring
    let importer: Importer
    let moves: Bool
    let isDryRun: Bool
    let replaces: Bool
    var report: ImportReport
    /// Items of earlier runs whose originals are still there.
    private var earlier: [(item: KeyringItem, identity: ItemIdentity)] = []

    init(
      keyring: Keyring, importer: Importer, moves: Bool, isDryRun: Bool, replaces: Bool,
      report: ImportReport
    ) {
      self.keyring = keyring
      self.importer = importer
      self.moves = moves
      self.isDryRun = isDryRun
      self.replaces = replaces
      self.report = report
    }

    mutating func take(_ item: KeyringItem) throws(CommandError) {
      // Its attributes may be hidden too.
      guard isDryRun || !item.isLocked else {
        return report.fail("\(Self.name(item)) is locked")
      }
      let incoming: IncomingItem
      do throws(ImportError) { incoming = try IncomingItem(item) } catch {
        return report.fail("\(Self.name(item)): its attributes do not fit")
      }
      let wished = importer.wished(for: incoming)
      switch importer.standing(of: incoming) {
      case .imported:
        report.present += 1
        if moves { earlier.append((item, wished)) }
      case .changed where !replaces:
        report.changed += 1
        report.say("\(quoted(wished.name.bytes)) has changed in the keyring since it was imported")
      case .new, .begun, .changed:
        guard !isDryRun else {
          importer.reserve(wished)
          report.imported += 1
          return try Output.print("\(quoted(item.label)) as \(quoted(wished.name.bytes))")
        }
        try store(item, incoming, wished)
      }
    }

    private mutating func store(
      _ item: KeyringItem, _ incoming: IncomingItem, _ wished: ItemIdentity
    ) throws(CommandError) {
      guard let secret = try secret(of: item) else { return }
      do throws(ImportError) { try importer.take(incoming, secret: secret) } catch {
        let failure = CommandError(error, about: wished)
        // What is wrong with one item need not be with the next; with the service, it is.
        guard error.isAboutItem else { throw failure }
        return report.fail(failure.message)
      }
      report.imported += 1
      if moves { try delete(item, secret) }
    }

    /// The label, or where there is none the path.
    private static func name(_ item: KeyringItem) -> String {
      quoted(item.label.isEmpty ? item.path : item.label)
    }

    /// nil when the keyring does not give this one out.
    private mutating func secret(of item: KeyringItem) throws(CommandError) -> SecretBytes? {
      do { return try keyring.secret(of: item).bytes } catch {
        let failure = CommandError(error)
        guard error.isAboutItem else { throw failure }
        report.fail(
          error == .missing
            ? "\(Self.name(item)) was deleted meanwhile"
            : "\(Self.name(item)) cannot be read: \(failure.message)")
        return nil
      }
    }

    /// Deletes the original, if it is still what was taken over.
    private mutating func delete(
      _ item: KeyringItem, _ taken: SecretBytes
    ) throws(CommandError) {
      do {
        let now = try keyring.current(item)
        let secret = try keyring.secret(of: now).bytes
        guard item.isDescribed(as: now), Importer.isEqual(secret, taken) else {
          report.changed += 1
          return report.say("\(Self.name(item)) changed meanwhile, and was not deleted")
        }
        try keyring.delete(now)
        report.deleted += 1
      } catch {
        // Somebody else deleted what was taken over.
        guard error != .missing else { return }
        let failure = CommandError(error)
        guard error.isAboutItem else { throw failure }
        report.kept += 1
        report.say("\(Self.name(item)) was taken over and not deleted: \(failure.message)")
      }
    }

    /// Deletes the originals of earlier runs, once the person let them be compared.
    mutating func moveImported() throws(CommandError) {
      guard !isDryRun else { return }
      var batch: [(item: KeyringItem, identity: ItemIdentity, secret: SecretBytes)] = []
      var size = 0
      for (item, identity) in earlier {
        guard let secret = try secret(of: item) else { continue }
        if batch.count == Limits.items || size + secret.count > Limits.secretsPerUser / 2 {
          try move(batch)
          (batch, size) = ([], 0)
        }
        batch.append((item, identity, secret))
        size += secret.count
      }
      if !batch.isEmpty { try move(batch) }
    }

    private mutating func move(
      _ batch: [(item: KeyringItem, identity: ItemIdentity, secret: SecretBytes)]
    ) throws(CommandError) {
      let equal = try attempt { () throws(KeychainError) in
        try importer.compare(
          batch.map { ($0.identity, $0.secret) },
          reason: Array("to compare with the keyring's".utf8))
      }
      for (entry, isEqual) in zip(batch, equal) {
        if isEqual {
          try delete(entry.item, entry.secret)
        } else {
          report.changed += 1
          report.say("\(quoted(entry.identity.name.bytes)) differs from the keyring's, which stays")
        }
      }
    }
  }
}

extension IncomingItem {
  /// The number of an item may be given to another one after it was deleted, so the time counts too.
  init(_ item: KeyringItem) throws(ImportError) {
    try self.init(
      source: Array("secret-service:".utf8) + item.path + Array("@\(item.created)".utf8),
      version: Array(String(item.modified).utf8), label: item.label, pairs: item.attributes)
  }
}
