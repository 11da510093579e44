import Linux
import SecretMemory

/// Takes what pinentry says apart into lines. All of it is in locked memory, since the next line may
/// be a secret.
public struct AssuanReader: ~Copyable {
  /// Longer than any line of the protocol, which has 1000 bytes at most.
  private static let capacity = 1024

  private let bytes: SecretBytes
  private var count = 0

  /// nil when there is no memory for it.
  public init?() {
    guard let bytes = try? SecretBytes(count: Self.capacity) else { return nil }
    self.bytes = bytes
  }

  /// Reads once.
  ///
  /// - Returns: false at the end.
  mutating func fill(from socket: StreamSocket) -> Bool {
    let start = count
    switch bytes.withMutableBytes({ socket.receive(into: &$0, from: start) }) {
    case .moved(let more): count += more
    case .wouldBlock: break
    case .ended: return false
    }
    return true
  }

  /// Takes as much as there is room for.
  ///
  /// - Returns: how many bytes were taken.
  public mutating func take(_ more: Span<UInt8>) -> Int {
    let (start, taken) = (count, min(more.count, Self.capacity - count))
    bytes.withMutableBytes { for index in 0..<taken { $0[start + index] = more[index] } }
    count += taken
    return taken
  }

  /// The next line that is complete; `.invalid` for one that is too long, after which there is none.
  public mutating func nextLine() -> AssuanLine? {
    let filled = count
    let end = bytes.withBytes { bytes in
      (0..<filled).first { bytes[$0] == UInt8(ascii: "\n") }
    }
    guard let end else {
      guard count == Self.capacity else { return nil }
      remove(count)
      return .invalid
    }
    let line = bytes.withBytes { AssuanLine($0.extracting(0..<end)) }
    remove(end + 1)
    return line
  }

  /// Moves the rest to the front, and leaves nothing behind it.
  private mutating func remove(_ taken: Int) {
    let (filled, rest) = (count, count - taken)
    bytes.withMutableBytes { bytes in
      for index in 0..<rest { bytes[index] = bytes[taken + index] }
      for index in rest..<filled { bytes[index] = 0 }
    }
    count = rest
  }
}
