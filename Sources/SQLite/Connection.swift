import CSQLite

/// One open database. Used from one thread at a time.
@safe
public final class Connection {
  private let handle: OpaquePointer

  /// Opens or creates the database file.
  ///
  /// - Parameter patience: milliseconds to wait for another connection that holds the database.
  public init(path: String, patience: Int32 = 1000) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    // SAFETY: the out-parameter is valid; a handle that came with an error is closed below.
    let status = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard status == SQLITE_OK, let handle = unsafe handle else {
      let systemCode = unsafe sqlite3_system_errno(handle)
      unsafe sqlite3_close_v2(handle)
      throw SQLiteError(status, systemCode: systemCode)
    }
    unsafe self.handle = handle
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, patience)
  }

  deinit {
    // SAFETY: the handle is this object's own; close_v2 waits for statements still alive.
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements that take and give no values.
  public func execute(_ sql: String) throws(SQLiteError) {
    // SAFETY: no callback, and no message is asked for.
    let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// A failure with what the system said, where it was the cause.
  func error(_ status: Int32, message: String? = nil) -> SQLiteError {
    let isOfFiles = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(status & 0xff)
    // SAFETY: the handle is this object's own.
    let systemCode = isOfFiles ? unsafe sqlite3_system_errno(handle) : 0
    return SQLiteError(status, systemCode: systemCode, message: message)
  }

  /// Compiles a statement, to be kept and used again.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var statement: OpaquePointer?
    // SAFETY: the out-parameter is valid; the statement owns what it gets.
    let status = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK else {
      // SAFETY: the text is copied before the next call.
      throw error(status, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
    // Of an empty text no statement is made.
    guard let statement = unsafe statement else { throw SQLiteError(SQLITE_MISUSE) }
    return unsafe Statement(statement, of: self)
  }

  /// Runs `body` in a transaction that holds the write lock from the start; any error undoes it.
  public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      // The first error is the one to report; SQLite may have rolled back by itself.
      try? execute("ROLLBACK")
      throw error
    }
  }

  public var lastInsertedRow: Int64 {
    // SAFETY: the handle is open as long as self.
    unsafe sqlite3_last_insert_rowid(handle)
  }

  /// Rows that the last statement changed.
  public var changedRows: Int {
    // SAFETY: the handle is open as long as self.
    unsafe Int(sqlite3_changes(handle))
  }
}
