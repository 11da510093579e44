import Glibc
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
    self =
      if error.isFull || error.systemCode == ENOSPC {
        .full
      } else if error.isCorrupt {
        .corrupted
      } else if error == .laterFormat {
        .laterFormat
      } else if error.isBusy || error.isOutOfMemory || error.systemCode == EMFILE {
        .busy
      } else if error.isReadOnly || error.systemCode == EROFS {
        .readOnly
      } else {
        .failed
      }
    ServiceNote.write("database: \(error)")
  }
}
