import Linux
import SecretMemory
import Wire

/// A frame whose header was read and whose body is not complete.
struct PartialFrame {
  enum Body {
    case message([UInt8])
    case secret(SecretBytes)
  }

  private(set) var body: Body
  var filled: Int
  let count: Int

  init(_ header: FrameHeader) throws(KeychainError) {
    if header.isSecret {
      body = .secret(try SecretBytes.make(count: header.bodyCount))
      filled = 0
      count = header.bodyCount
    } else {
      var message = [UInt8](repeating: 0, count: header.bodyCount + 1)
      message[0] = header.type
      body = .message(message)
      filled = 1
      count = header.bodyCount + 1
    }
  }

  mutating func receive(from socket: StreamSocket, waiting: Bool) -> StreamSocket.Progress {
    let from = filled
    switch body {
    case .secret(let secret):
      return secret.withMutableBytes { socket.receive(into: &$0, from: from, waiting: waiting) }
    case .message(var message):
      body = .message([])
      var span = message.mutableSpan
      let progress = socket.receive(into: &span, from: from, waiting: waiting)
      body = .message(message)
      return progress
    }
  }

  mutating func take(_ bytes: Span<UInt8>, from start: Int, count: Int) {
    let at = filled
    switch body {
    case .secret(let secret):
      secret.withMutableBytes { own in
        for index in 0..<count { own[at + index] = bytes[start + index] }
      }
    case .message(var message):
      body = .message([])
      for index in 0..<count { message[at + index] = bytes[start + index] }
      body = .message(message)
    }
    filled += count
  }
}
