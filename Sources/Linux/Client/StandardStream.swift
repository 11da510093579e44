import CLinux
import Glibc

/// Plain reads and writes on a descriptor, without buffers that would keep a copy.
public enum StandardStream {
  public static let input: Int32 = 0
  public static let output: Int32 = 1
  public static let error: Int32 = 2

  public static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Puts `/dev/null` where a standard stream is closed. Otherwise the next file or socket takes the
  /// stream's number, and what is meant for the stream goes there. Reading and writing fail as on
  /// a closed stream.
  ///
  /// - Returns: whether no gap is left; go no further where one is.
  public static func fillGaps() -> Bool {
    for (descriptor, mode) in [(input, O_WRONLY), (output, O_RDONLY), (error, O_RDONLY)] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      // SAFETY: the text is a constant. The lowest free number is taken, which is this one.
      guard unsafe open("/dev/null", mode) == descriptor else { return false }
    }
    return true
  }

  /// Whether the descriptor was opened for writing.
  public static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Writes all bytes. - Returns: false when the reader is gone or the disk is full.
  @discardableResult
  public static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Bool {
    var done = 0
    // SAFETY: the pointer stays inside the span, which lives for the length of the closure.
    return unsafe bytes.withUnsafeBytes { buffer in
      while done < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  @discardableResult
  public static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8).span, to: descriptor)
  }

  /// Reads once, into the bytes from `start` on.
  ///
  /// - Returns: the bytes read, 0 at the end, nil for an error.
  public static func read(
    _ descriptor: Int32, into bytes: inout MutableSpan<UInt8>, from start: Int
  ) -> Int? {
    // SAFETY: the pointer stays inside the span, which lives for the length of the closure.
    unsafe bytes.withUnsafeMutableBytes { buffer in
      while true {
        let count = unsafe Glibc.read(
          descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
        if count < 0, errno == EINTR { continue }
        return count < 0 ? nil : count
      }
    }
  }
}
