import Linux
import SQLite
import Vault

/// The engine hears what it can act on; the administrator hears what it was.
extension StorageError {
  init(_ error: SystemError) {
    self = error.isFull ? .full : .failed
    ServiceNote.write("storage: \(error)")
  }

  init(_ error: SQLiteError) {
    if error.isConstraint {
      // Two items of one name are nobody's fault.
      self = .duplicate
      return
    }
    self = error.isFull ? .full : error.isCorrupt ? .corrupted : .failed
    ServiceNote.write("database: \(error)")
  }

  /// Runs file operations with the engine's errors.
  static func mapping<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StorageError) -> Result {
    do { return try body() } catch { throw StorageError(error) }
  }
}
