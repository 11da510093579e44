import Linux
import SQLite
import Vault

extension StorageError {
  init(_ error: SQLiteError) {
    if error.isConstraint {
      // Two items of one name are nobody's fault.
      self = .duplicate
      return
    }
    let cause = SystemError(code: error.systemCode, call: "sqlite")
    self =
      if error.isFull || cause.isFull {
        .full
      } else if error.isCorrupt {
        .corrupted
      } else if error == .laterFormat {
        .laterFormat
      } else if error.isBusy || error.isOutOfMemory || cause.isExhaustion {
        .busy
      } else if error.isReadOnly || cause.isReadOnly {
        .readOnly
      } else {
        .failed
      }
    ServiceNote.write("database: \(error)")
  }
}
