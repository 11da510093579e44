import CSQLite

/// A result of SQLite that is no success.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The primary code and, in the bits above 8, what extends it.
  public let code: Int32
  /// What SQLite calls it. It holds no value: it is the library's own text for the code or, for
  /// a statement that does not compile, about the statement, to which nothing is bound yet.
  public let message: String

  init(_ code: Int32, message: String? = nil) {
    self.code = code
    // SAFETY: the library's texts are constants.
    self.message = message ?? (unsafe String(cString: sqlite3_errstr(code)))
  }

  public var description: String { "\(message) (\(code))" }

  /// The database was written by a later version of its program.
  public static let newerFormat = SQLiteError(SQLITE_NOTADB, message: "of a later format")

  private var primary: Int32 { code & 0xff }

  public var isFull: Bool { primary == SQLITE_FULL }
  /// Another connection held the database for longer than this one waits.
  public var isBusy: Bool { primary == SQLITE_BUSY }
  /// A unique index refused the row.
  public var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
  public var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
}
