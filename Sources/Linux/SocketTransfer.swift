import CLinux
import Glibc

/// Reading and writing a connected socket without waiting, from and to memory the caller chose.
public enum SocketTransfer {
  public enum Outcome: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    /// The peer closed or reset the connection.
    case ended
  }

  public static func receive(
    _ descriptor: OwnedDescriptor, into span: inout MutableSpan<UInt8>
  ) -> Outcome {
    // SAFETY: the span's own length.
    let count = unsafe span.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
    }
    if count > 0 { return .bytes(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .ended
  }

  /// - Parameter range: the part of the span to send.
  public static func send(
    _ descriptor: OwnedDescriptor, _ span: Span<UInt8>, _ range: Range<Int>
  ) -> Outcome {
    // SAFETY: the caller's range is checked against the span.
    precondition(range.lowerBound >= 0 && range.upperBound <= span.count)
    let count = unsafe span.withUnsafeBytes { bytes in
      unsafe Glibc.send(
        descriptor.raw, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, range.count,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if count >= 0 { return .bytes(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
  }
}
