import Glibc
import Linux
import Vault

extension StorageError {
  init(_ error: SystemError) {
    self = error.code == ENOSPC || error.code == EDQUOT ? .full : .failed
  }

  /// Runs file operations with the engine's errors.
  static func mapping<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StorageError) -> Result {
    do { return try body() } catch { throw StorageError(error) }
  }
}
