import CLinux
import Glibc

/// Reads and writes that wait, on a stream of this process or of a helper that serves one
/// question. Nothing is buffered, so no copy of a secret is left behind and nothing is read ahead.
public struct BlockingStream: Sendable {
  public static let standardInput = BlockingStream(0)
  public static let standardOutput = BlockingStream(1)
  public static let standardError = BlockingStream(2)

  private let descriptor: Int32

  /// Borrows `descriptor`, which must stay open.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Whether the stream was opened for writing.
  public var isWritable: Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Puts `/dev/null` where a standard stream is closed. Otherwise the next file or socket takes the
  /// stream's number, and what is meant for the stream goes there. Reading and writing fail as on
  /// a closed stream.
  ///
  /// - Returns: whether no gap is left; go no further where one is.
  public static func fillGaps() -> Bool {
    for (descriptor, mode) in [(0 as Int32, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      // SAFETY: the text is a constant. The lowest free number is taken, which is this one.
      guard unsafe open("/dev/null", mode) == descriptor else { return false }
    }
    return true
  }

  /// Reads once, into the bytes from `start` on.
  ///
  /// - Returns: the bytes read, 0 at the end; `nil` on an error.
  public func read(into bytes: inout MutableSpan<UInt8>, from start: Int = 0) -> Int? {
    precondition(start >= 0 && start <= bytes.count)
    // SAFETY: the pointer stays inside the span, which lives for the length of the closure.
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      while true {
        let count = unsafe Glibc.read(
          descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
        if count < 0, errno == EINTR { continue }
        return count < 0 ? nil : count
      }
    }
  }

  /// Fills `bytes`; false when the stream ends before.
  public func fill(_ bytes: inout MutableSpan<UInt8>) -> Bool {
    var done = 0
    while done < bytes.count {
      guard let count = read(into: &bytes, from: done), count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Reads exactly `count` bytes; `nil` when the stream ends before.
  public func read(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    return fill(&span) ? bytes : nil
  }

  /// Writes all bytes; false when the reader is gone or the disk is full.
  @discardableResult
  public func write(_ bytes: Span<UInt8>) -> Bool {
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
  public func write(_ text: String) -> Bool {
    write(Array(text.utf8).span)
  }
}
