import Linux
import SecretMemory
import Transfer
import WhorlClient
import Wire

/// `whorl import csv`, `env` and `pass`: items that come with their secrets.
struct FileImport {
  typealias Incoming = (item: IncomingItem, secret: () throws(CommandError) -> SecretBytes)

  private let arguments: Arguments

  init(_ arguments: Arguments) throws(CommandError) {
    for (option, source) in [
      ("move", "secret-service"), ("attribute", "secret-service"), ("store", "backup"),
    ] where arguments.has(option) {
      throw CommandError(usage: "--\(option) is for \(source) only", arguments.command.usage)
    }
    self.arguments = arguments
  }

  func csv(_ path: [UInt8]) throws(CommandError) -> Int32 {
    let text = try SecretFile.contents(path)
    let table = try Self.reading(path) { () throws(FileError) in try SecretTable(text) }
    guard let columns = PasswordColumns(table) else {
      throw CommandError(status: 1, "\(quoted(path)) has no column of passwords")
    }
    let items: [(item: IncomingItem, secret: SecretBytes)]
    do { items = try columns.items() } catch {
      throw CommandError(status: 1, "\(quoted(path)): fields are too long")
    }
    for column in columns.unknown {
      Output.error("whorl: note: the column \(quoted(column)) is not taken over")
    }
    return try take(
      items.map { pair in (pair.item, { () throws(CommandError) in pair.secret }) },
      empty: columns.emptyRows)
  }

  func environment(_ path: [UInt8]) throws(CommandError) -> Int32 {
    let text = try SecretFile.contents(path)
    let file = try Self.reading(path) { () throws(FileError) in try EnvironmentFile(text) }
    let service = arguments.value("service") ?? []
    var last: [[UInt8]: Int] = [:]
    for (index, assignment) in file.assignments.enumerated() { last[assignment.name] = index }
    // As in a shell, the last of several of one name counts.
    let kept = file.assignments.enumerated().filter { last[$1.name] == $0 }.map(\.element)
    return try take(
      kept.map { name, value in
        (
          IncomingItem(
            source: Array("env:".utf8) + service + [UInt8(ascii: "/")] + name,
            name: ItemName(service: service, wishedAccount: name), attributes: Attributes()),
          { () throws(CommandError) in value }
        )
      })
  }

  /// Runs what reads a file's content.
  static func reading<Result>(
    _ path: [UInt8], _ body: () throws(FileError) -> Result
  ) throws(CommandError) -> Result {
    do { return try body() } catch {
      switch error {
      case .malformed(let line):
        throw CommandError(status: 1, "\(quoted(path)), line \(line): not understood")
      case .exhausted:
        throw CommandError(status: FailureCode.busy.exitStatus, "no memory is left for the secrets")
      }
    }
  }

  /// - Parameters:
  ///   - failed: how many there are beside these that could not be read.
  ///   - empty: how many hold no secret.
  func take(
    _ items: [Incoming], failed: Int = 0, empty: Int = 0
  ) throws(CommandError) -> Int32 {
    let control = try AccessOptions.importControl(arguments)
    let importer = try attempt { () throws(KeychainError) in
      try Importer(
        Client.silentKeychain(arguments), group: arguments.group, accessControl: control)
    }
    let isDryRun = arguments.has("dry-run")
    var report = ImportReport(total: items.count, isDryRun: isDryRun)
    report.failed = failed
    report.empty = empty
    for (item, secret) in items {
      defer { report.advance() }
      let wished = importer.wished(for: item)
      if importer.standing(of: item) == .imported, !arguments.has("replace") {
        report.present += 1
        continue
      }
      report.imported += 1
      guard !isDryRun else {
        importer.reserve(wished)
        try Output.print(quoted(wished.name.bytes))
        continue
      }
      let bytes = try secret()
      do throws(ImportError) { try importer.take(item, secret: bytes) } catch {
        let failure = CommandError(error, about: wished)
        guard error.isAboutItem else { throw failure }
        report.imported -= 1
        report.fail(failure.message)
      }
    }
    report.sayUnfinished(importer)
    return try report.end()
  }
}
