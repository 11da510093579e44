import CSQLite

/// A value bound to a statement.
public enum Value: Equatable, Sendable {
  case integer(Int64)
  case blob([UInt8])
}

/// A compiled statement. Values do not outlive a run: it is reset and its bindings are cleared
/// after each.
@safe
public final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection

  @unsafe
  init(_ handle: OpaquePointer, of connection: Connection) {
    // SAFETY: the caller gives up the handle, which `deinit` finalizes.
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit {
    // SAFETY: the handle is this object's own.
    unsafe sqlite3_finalize(handle)
  }

  /// Runs to the end, for statements without rows.
  public func run(_ values: Value...) throws(SQLiteError) {
    try rows(values) { _ in false }
  }

  /// Gives each row to `body` until it returns false.
  public func rows(
    _ values: [Value], _ body: (borrowing Row) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    // SAFETY: the handle is valid as long as self; the order of calls is the library's.
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() {
      try bind(value, Int32(index + 1))
    }
    while true {
      let status = unsafe sqlite3_step(handle)
      switch status {
      case SQLITE_ROW:
        guard try body(unsafe Row(statement: handle)) else { return }
      case SQLITE_DONE: return
      default: throw connection.error(status)
      }
    }
  }

  private func bind(_ value: Value, _ index: Int32) throws(SQLiteError) {
    // SAFETY: the library copies the bytes before the call returns.
    let status: Int32
    switch value {
    case .integer(let integer): status = unsafe sqlite3_bind_int64(handle, index, integer)
    case .blob(let bytes):
      status = unsafe bytes.withUnsafeBytes { bytes in
        unsafe whorl_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
      }
    }
    guard status == SQLITE_OK else { throw connection.error(status) }
  }
}

/// One row of a running statement. It is lent to a closure and cannot be copied out of it, where
/// the statement may have gone on or be gone.
@safe
public struct Row: ~Copyable {
  private let statement: OpaquePointer

  @unsafe
  init(statement: OpaquePointer) {
    // SAFETY: the caller lends the handle for the life of the row.
    unsafe self.statement = statement
  }

  public func integer(_ column: Int32) -> Int64 {
    // SAFETY: the statement stands on a row while this value lives.
    unsafe sqlite3_column_int64(statement, column)
  }

  public func blob(_ column: Int32) -> [UInt8] {
    // SAFETY: the library's buffer has this many bytes until the next step; they are copied.
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
