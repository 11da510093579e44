import CSQLite

/// A result of SQLite that is no success.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The primary code and, in the bits above 8, what extends it.
  public let code: Int32
  /// The errno behind a failure to open, read or write a file; 0 for none.
  public let systemCode: Int32
  /// What SQLite calls it. It holds no value: it is the library's own text for the code or, for
  /// a statement that does not compile, about the statement, to which nothing is bound yet.
  public let message: String

  init(_ code: Int32, systemCode: Int32 = 0, message: String? = nil) {
    self.code = code
    self.systemCode = systemCode
    // SAFETY: the library's texts are constants.
    self.message = message ?? (unsafe String(cString: sqlite3_errstr(code)))
  }

  public var description: String {
    "\(message) (\(code)\(systemCode == 0 ? "" : ", errno \(systemCode)"))"
  }

  /// The database was written by a later version of its program. The library itself uses the code
  /// no more.
  public static let laterFormat = SQLiteError(SQLITE_FORMAT, message: "of a later format")

  public static let busy = SQLiteError(SQLITE_BUSY)

  private var primary: Int32 { code & 0xff }

  public var isFull: Bool { primary == SQLITE_FULL }
  /// A unique index refused the row.
  public var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
  public var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
  /// Another connection held the database for longer than this one waits.
  public var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  public var isReadOnly: Bool { primary == SQLITE_READONLY }
  /// A file could not be read, written or synced.
  public var isOfDevice: Bool { primary == SQLITE_IOERR }
  public var isOutOfMemory: Bool { primary == SQLITE_NOMEM }
}
