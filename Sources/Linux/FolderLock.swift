import CLinux
import Glibc

/// Keeps other processes that want it too out of a folder, as long as this process lives.
public struct FolderLock: Sendable {
  private let descriptor: OwnedDescriptor

  /// - Throws: `EWOULDBLOCK` when another process has it.
  public init(_ path: String) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(code: errno, call: "open") }
    descriptor = OwnedDescriptor(owning: raw)
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
      throw SystemError(code: errno, call: "flock")
    }
  }
}
