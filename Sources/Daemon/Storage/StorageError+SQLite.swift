import Linux
import SQLite
import Vault

extension StorageError {
  init(_ error: SQLiteError) {
    if error.isFull {
      self = .full
    } else if error.isConstraint {
      self = .duplicate
    } else if error.isCorrupt {
      self = .corrupted
    } else if error == .laterFormat {
      self = .laterFormat
    } else if error.isBusy || error.isOutOfMemory {
      self = .busy
    } else if error.isReadOnly {
      self = .readOnly
    } else {
      self = StorageError(SystemError(code: error.systemCode, call: "sqlite"))
    }
  }
}
