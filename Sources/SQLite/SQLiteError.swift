import CSQLite

/// A result code of SQLite, primary and extended.
public struct SQLiteError: Error, Equatable, Sendable {
  public let code: Int32
  /// The errno behind a failure to open, read or write a file; 0 for none.
  public let systemCode: Int32

  init(_ code: Int32, systemCode: Int32 = 0) {
    self.code = code
    self.systemCode = systemCode
  }

  /// The database was written by a later version of its program. The library itself uses the code
  /// no more.
  public static let laterFormat = SQLiteError(SQLITE_FORMAT)

  public static let busy = SQLiteError(SQLITE_BUSY)

  private var primary: Int32 { code & 0xff }

  public var isFull: Bool { primary == SQLITE_FULL }
  /// A unique index refused the row.
  public var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
  public var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
  /// Another connection holds a lock.
  public var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  public var isReadOnly: Bool { primary == SQLITE_READONLY }
  /// A file could not be read, written or synced.
  public var isOfDevice: Bool { primary == SQLITE_IOERR }
  public var isOutOfMemory: Bool { primary == SQLITE_NOMEM }
}
