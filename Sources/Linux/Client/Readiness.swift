import CLinux
import Glibc

/// Waiting in poll(2) on the calling thread.
public enum Readiness {
  /// Waits until one of the descriptors can be read (or, at `writable`, written), has an error or
  /// is closed, or the time is over.
  ///
  /// - Parameter milliseconds: -1 for no limit.
  /// - Returns: the indices of the ready ones; empty when the time is over or a signal came.
  public static func wait(
    _ descriptors: [Int32], writable: Int? = nil, milliseconds: Int32
  ) -> [Int] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if let writable { polled[writable].events = Int16(POLLOUT) }
    // SAFETY: the array holds exactly the given number of entries.
    let count = unsafe polled.withUnsafeMutableBufferPointer { buffer in
      unsafe poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
    }
    guard count > 0 else { return [] }
    return polled.indices.filter { polled[$0].revents != 0 }
  }
}
