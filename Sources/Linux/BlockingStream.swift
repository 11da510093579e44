import CLinux
import Glibc

/// Exact reads and writes on a blocking descriptor, for helper processes that serve one question.
public struct BlockingStream: Sendable {
  private let descriptor: Int32

  /// Borrows `descriptor`, which must stay open.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads exactly `count` bytes; `nil` when the stream ends before. It never reads ahead, so a
  /// secret that follows stays in the kernel until its own buffer is ready.
  public func read(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    return read(into: &span) ? bytes : nil
  }

  /// Fills `bytes`; false when the stream ends before.
  public func read(into bytes: inout MutableSpan<UInt8>) -> Bool {
    var done = 0
    // SAFETY: the pointer stays inside the span, which lives for the length of the closure.
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      while done < buffer.count {
        let count = unsafe Glibc.read(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Reads what one call gives, 0 at the end; `nil` on an error.
  public func readSome(into bytes: inout MutableSpan<UInt8>) -> Int? {
    // SAFETY: the span's own place and length.
    unsafe bytes.withUnsafeMutableBytes { buffer in
      while true {
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        return count < 0 ? nil : count
      }
    }
  }

  /// Writes all bytes; false when the peer is gone.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    // SAFETY: the pointer stays inside the array, which lives for the length of the closure.
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
}
