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

  private func restore(_ backup: BackupReader) throws(CommandError) -> Int32 {
    let keychain = Client.silentKeychain(arguments)
    let present = Set(
      try attempt { () throws(KeychainError) in try keychain.list() }.map(\.identity))
    let isDryRun = arguments.has("dry-run")
    var report = ImportReport(total: backup.items.count, isDryRun: isDryRun)
    for (index, item) in backup.items.enumerated() {
      defer { report.advance() }
      let identity = item.item.identity
      guard arguments.has("replace") || !present.contains(identity) else {
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
        if arguments.has("replace") {
          try keychain.addReplacing(item.item, secret: secret)
        } else {
          try keychain.add(item.item, secret: secret)
        }
        report.imported += 1
      } catch {
        let failure = CommandError(error, about: identity)
        // Without a finger enrolled here, what needs one cannot be stored; the rest can.
        guard error.problem == nil, [.notEnrolled, .passcodeNotSet, .noReader].contains(error.code)
        else { throw failure }
        report.failed += 1
        report.say(failure.message)
      }
    }
    return try report.end()
  }
}
