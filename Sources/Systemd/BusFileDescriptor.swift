import CSystemd
import Glibc

/// A descriptor that came in a message: owned, and closed with its last reference.
public final class BusFileDescriptor: Sendable {
  public let number: Int32

  /// Duplicates `borrowed`, because the message closes its own.
  init(duplicating borrowed: Int32) throws(BusError) {
    number = fcntl(borrowed, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw .system(errno: errno) }
  }

  deinit { close(number) }
}
