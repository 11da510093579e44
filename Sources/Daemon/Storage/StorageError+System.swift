import Linux
import Vault

/// The engine hears what it can act on; the administrator hears what it was.
extension StorageError {
  init(_ error: SystemError) {
    self =
      if error.isTooLarge, error.call == "read" {
        // Nothing that was written is so long.
        .corrupted
      } else if error.isFull || error.isTooLarge {
        .full
      } else if error.isReadOnly {
        .readOnly
      } else {
        error.isExhaustion ? .busy : .failed
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
