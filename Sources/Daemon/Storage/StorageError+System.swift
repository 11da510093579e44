import Glibc
import Linux
import Vault

extension StorageError {
  init(_ error: SystemError) {
    self =
      switch error.code {
      // A file is longer than anything that was written.
      case EFBIG where error.call == "read": .corrupted
      // The process may not make a file so long.
      case ENOSPC, EDQUOT, EFBIG: .full
      case EROFS: .readOnly
      case EMFILE, ENFILE, ENOMEM: .busy
      default: .failed
      }
  }

  /// Runs file operations with the engine's errors.
  static func mapping<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StorageError) -> Result {
    do { return try body() } catch { throw StorageError(error) }
  }
}

extension SystemError {
  var isNotFound: Bool { code == ENOENT }
}
