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

  /// The same for one descriptor that is to be read, which is most often all there is to wait for:
  /// it makes no array, whose type the runtime would put together first.
  ///
  /// - Returns: whether it is ready.
  public static func wait(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as counted.
    return unsafe poll(&polled, 1, milliseconds) > 0
  }
}
