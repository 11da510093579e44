import SecretMemory

@testable import Transfer

extension FuzzTarget {
  static let passwordTable = FuzzTarget(name: "password-table") { bytes in
    let table: SecretTable
    do throws(FileError) { table = try read(bytes) } catch {
      try requireLine(error, of: bytes) { text throws(FileError) in _ = try read(text) }
      return
    }
    try require(
      table.rows.allSatisfy { $0.count == table.columns.count }, "rows are as long as the first")
    let rows = table.rows.map { $0.map(\.copied) }
    let again = try read(printed([table.columns] + rows))
    try require(
      again.columns == table.columns && again.rows.map { $0.map(\.copied) } == rows,
      "a printed table reads as itself")
    guard let columns = PasswordColumns(table) else { return }
    let items = try columns.items()
    try requireImportable(items.map(\.item))
    var secrets: [[UInt8]] = []
    for row in rows {
      let alone = try PasswordColumns(try read(printed([table.columns, row])))?.items() ?? []
      secrets += alone.map(\.secret.copied)
      if !alone.isEmpty { try requireNothingLost(row, table.columns, columns.unknown, alone) }
    }
    try require(items.map(\.secret.copied) == secrets, "a row is read alike among others")
  }

  private static func read(_ bytes: [UInt8]) throws(FileError) -> SecretTable {
    guard let text = try? SecretBytes.of(bytes) else { throw .exhausted }
    return try SecretTable(text)
  }

  private static func printed(_ rows: [[[UInt8]]]) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    return rows.flatMap { row in
      let fields = row.map { field in
        [quote] + field.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
      }
      return fields.joined(separator: [UInt8(ascii: ",")]) + Array("\r\n".utf8)
    }
  }

  /// Every field of a row that makes items is in one, or its column is said to be left out.
  private static func requireNothingLost(
    _ row: [[UInt8]], _ names: [[UInt8]], _ unknown: [[UInt8]],
    _ items: [(item: IncomingItem, secret: SecretBytes)]
  ) throws {
    let taken = Set(
      items.flatMap { [$0.secret.copied] + $0.item.attributes.pairs.map(\.value) })
    for (name, field) in zip(names, row) where !unknown.contains(name) && !field.isEmpty {
      try require(taken.contains(field), "no field is lost unsaid")
    }
  }
}
