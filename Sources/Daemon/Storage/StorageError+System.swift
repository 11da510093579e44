import Glibc
import Linux
import Vault

/// The engine hears what it can act on; the administrator hears what it was.
extension StorageError {
  init(_ error: SystemError) {
    self =
      switch error.code {
      // A file is longer than anything that was written.
      case EFBIG where error.call == "read": .corrupted
      // The process may not make a file so long.
      case ENOSPC, EDQUOT, EFBIG: .full
      case EROFS: .readOnly
      default: error.isExhaustion ? .busy : .failed
      }
    ServiceNote.write("storage: \(error)")
  }

  /// Runs file operations with the engine's errors.
  static func mapping<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StorageError) -> Result {
    do { return try body() } catch { throw StorageError(error) }
  }
}
