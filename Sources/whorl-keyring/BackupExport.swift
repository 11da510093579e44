import AccessControl
import Crypto
import Linux
import SecretMemory
import Transfer
import WhorlClient
import Wire

/// `whorl export`.
struct BackupExport {
  private let arguments: Arguments
  private let path: [UInt8]

  init(_ arguments: Arguments) throws(CommandError) {
    self.arguments = arguments
    path = arguments.names[0]
  }

  func run() throws(CommandError) -> Int32 {
    let name = try SecretFile.text(path)
    let keychain = Client.keychain(arguments)
    let query = Query(groups: arguments.allValues("group"))
    let rows = ItemText.sorted(
      try attempt { () throws(KeychainError) in try keychain.list(query) })
    let leaving = rows.filter { Self.reasonToStay($0) == nil }
    for row in rows {
      guard let reason = Self.reasonToStay(row) else { continue }
      Output.error("whorl: left behind: \(quoted(row.identity.name.bytes)): \(reason)")
    }
    let staying = rows.count - leaving.count
    let left = staying == 0 ? "" : ", \(staying) left behind"
    guard !arguments.has("dry-run") else {
      try Output.print("\(leaving.count) to be written\(left)")
      return 0
    }
    try requireNew(name)
    let passphrase = try Passphrase.new(arguments)
    let bytes = try backup(leaving, keychain, passphrase)
    try write(bytes, name)
    try Output.print("\(leaving.count) written\(left)")
    return 0
  }

  /// nil for an item that may leave.
  private static func reasonToStay(_ row: ItemRow) -> String? {
    let control = row.accessControl
    switch control.accessibility {
    case .whenUnlocked, .afterFirstUnlock: break
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      return "its class is \(control.accessibility.name)"
    }
    if row.identity.itemClass == .key { return "a key never leaves" }
    if control.needsApplicationPassword { return "it has a password of its own" }
    return row.isInvalidated ? "it is invalidated" : nil
  }

  private func backup(
    _ rows: [ItemRow], _ keychain: Keychain, _ passphrase: SecretBytes
  ) throws(CommandError) -> [UInt8] {
    do throws(CryptoError) { try Crypto.initialize() } catch {
      throw CommandError(BackupError.exhausted)
    }
    var writer = try attemptBackup { () throws(BackupError) in
      try BackupWriter(passphrase: passphrase)
    }
    let options = RequestOptions(reason: Array("to write a backup".utf8))
    for batch in try batches(rows, keychain) {
      let secrets = try attempt { () throws(KeychainError) in
        try keychain.read(batch.map(\.identity), options: options)
      }
      for (row, secret) in zip(batch, secrets) {
        let item = BackupItem(
          item: NewItem(
            identity: row.identity, attributes: row.attributes, accessControl: row.accessControl,
            store: row.store),
          created: row.created, modified: row.modified)
        try attemptBackup { () throws(BackupError) in try writer.add(item, secret: secret) }
      }
    }
    return try attemptBackup { () throws(BackupError) in
      try writer.finish(date: CalendarClock.seconds())
    }
  }

  /// As many items as one request may read.
  private func batches(_ rows: [ItemRow], _ keychain: Keychain) throws(CommandError) -> [[ItemRow]]
  {
    var batches: [[ItemRow]] = []
    var size = Int.max
    for row in rows {
      let detail = try attempt(about: row.identity) { () throws(KeychainError) in
        try keychain.show(row.identity)
      }
      let count = Int(detail.secretCount)
      if size > Limits.secretsPerUser / 2 - count
        || batches[batches.count - 1].count == Limits.items
      {
        batches.append([])
        size = 0
      }
      batches[batches.count - 1].append(row)
      size += count
    }
    return batches
  }

  /// Before anybody touches for it.
  private func requireNew(_ name: String) throws(CommandError) {
    guard (try? RegularFile.kind(path)) == nil else {
      throw CommandError(status: 1, "\(quoted(path)) is there already")
    }
  }

  /// Under another name until it is whole.
  private func write(_ bytes: [UInt8], _ name: String) throws(CommandError) {
    let part = name + ".part"
    do throws(SystemError) {
      try? Folder.remove(file: part)
      let file = try File(creating: part, mode: 0o600)
      try file.write(bytes.span, at: 0)
      try file.sync()
      try Folder.rename(part, to: name)
    } catch {
      try? Folder.remove(file: part)
      throw CommandError(
        status: 1, "cannot write \(quoted(path)): \(error.call), error \(error.code)")
    }
  }
}

extension CommandError {
  init(_ error: BackupError) {
    switch error {
    case .foreign:
      self.init(status: 1, "this is no backup of Whorl's, or its first bytes are damaged")
    case .version(let version):
      self.init(status: 1, "the backup is of version \(version), which this program cannot read")
    case .damaged: self.init(status: 1, "the backup is damaged; nothing was restored")
    case .passphrase:
      self.init(
        status: FailureCode.authenticationFailed.exitStatus,
        "the passphrase is wrong, or somebody altered the backup; nothing was restored")
    case .empty:
      self.init(status: FailureCode.badParameter.exitStatus, "a backup needs a passphrase")
    case .exhausted:
      self.init(status: FailureCode.busy.exitStatus, "there is not enough memory")
    }
  }
}

/// Runs calls about a backup.
func attemptBackup<Result>(
  _ body: () throws(BackupError) -> Result
) throws(CommandError) -> Result {
  do { return try body() } catch { throw CommandError(error) }
}
