import CSQLite

/// A result code of SQLite, primary and extended.
public struct SQLiteError: Error, Equatable, Sendable {
  public let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  /// The database was written by a later version of its program.
  public static let newerFormat = SQLiteError(SQLITE_NOTADB)

  private var primary: Int32 { code & 0xff }

  public var isFull: Bool { primary == SQLITE_FULL }
  /// A unique index refused the row.
  public var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
  public var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
}
