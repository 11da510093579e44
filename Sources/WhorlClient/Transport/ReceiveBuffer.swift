import Linux
import SecretMemory
import Wire

/// Takes a stream apart into frames. Bytes wait in a small piece of locked memory; the rest of a
/// frame that is larger goes straight to where it belongs.
struct ReceiveBuffer: ~Copyable {
  private static let capacity = 4096

  private var staged: SecretBytes?
  private var start = 0
  private var end = 0
  private var partial: PartialFrame?

  /// Reads once from the socket, which poll said has something, or which is waited for.
  mutating func fill(from socket: StreamSocket, waiting: Bool) throws(KeychainError) {
    let progress: StreamSocket.Progress
    if var partial, start == end {
      self.partial = nil
      progress = partial.receive(from: socket, waiting: waiting)
      if case .moved(let count) = progress { partial.filled += count }
      self.partial = partial
    } else {
      let staged = try stage()
      if start == end { (start, end) = (0, 0) }
      let from = end
      progress = staged.withMutableBytes {
        socket.receive(into: &$0, from: from, waiting: waiting)
      }
      if case .moved(let count) = progress { end += count }
    }
    if progress == .ended { throw KeychainError(.closed) }
  }

  /// The next frame that is complete, or nil.
  mutating func nextFrame() throws(KeychainError) -> Frame? {
    if partial == nil {
      guard let header = try nextHeader() else { return nil }
      partial = try PartialFrame(header)
    }
    guard var partial else { return nil }
    self.partial = nil
    if let staged, start < end {
      let taken = min(partial.count - partial.filled, end - start)
      let from = start
      staged.withBytes { partial.take($0, from: from, count: taken) }
      // What was taken is not kept twice.
      staged.withMutableBytes { for index in from..<from + taken { $0[index] = 0 } }
      start += taken
    }
    guard partial.filled == partial.count else {
      self.partial = partial
      return nil
    }
    switch partial.body {
    case .message(let message): return .message(message)
    case .secret(let secret): return .secret(secret)
    }
  }

  private mutating func nextHeader() throws(KeychainError) -> FrameHeader? {
    guard let staged else { return nil }
    guard end - start >= FrameHeader.count else {
      // A header cut by the end of the buffer is moved to its beginning.
      if start > 0 {
        let (from, count) = (start, end - start)
        staged.withMutableBytes { for index in 0..<count { $0[index] = $0[from + index] } }
        (start, end) = (0, count)
      }
      return nil
    }
    let from = start
    start += FrameHeader.count
    do {
      return try staged.withBytes { bytes throws(DecodingError) in
        try FrameHeader(bytes.extracting(from..<from + FrameHeader.count))
      }
    } catch { throw KeychainError(.malformed) }
  }

  private mutating func stage() throws(KeychainError) -> SecretBytes {
    if let staged { return staged }
    let fresh = try SecretBytes.make(count: Self.capacity)
    staged = fresh
    return fresh
  }
}
