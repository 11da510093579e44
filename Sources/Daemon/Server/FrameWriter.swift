import Linux
import SecretMemory
import Wire

/// What is still to be sent to a peer. Secrets go to the kernel from locked memory and are dropped,
/// and so wiped, as soon as it has taken them.
struct FrameWriter {
  private enum Piece {
    case bytes([UInt8])
    case secret(SecretBytes)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .secret(let secret): secret.count
      }
    }

    func copy(_ range: Range<Int>, to staging: SecretBytes, at offset: Int) {
      staging.withMutableBytes { staging in
        switch self {
        case .bytes(let bytes):
          for index in range { staging[offset + index - range.lowerBound] = bytes[index] }
        case .secret(let secret):
          secret.withBytes { secret in
            for index in range { staging[offset + index - range.lowerBound] = secret[index] }
          }
        }
      }
    }
  }

  /// Bytes that may wait for a peer that does not read: the largest answer and its headers.
  static let limit = Limits.secretsPerUser + 4 * Limits.message

  private var pieces: [Piece] = []
  /// Bytes of the first piece that are sent.
  private var sent = 0
  private(set) var waiting = 0

  /// Bytes of secrets that are not all sent.
  var secretCount: Int {
    pieces.reduce(0) { sum, piece in
      if case .secret(let secret) = piece { sum + secret.count } else { sum }
    }
  }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func append(_ message: ServerMessage) {
    append(.bytes(message.frame))
  }

  mutating func append(_ secret: SecretBytes) {
    append(.bytes(FrameHeader(secretCount: secret.count).encoded))
    append(.secret(secret))
  }

  private mutating func append(_ piece: Piece) {
    pieces.append(piece)
    waiting += piece.count
  }

  /// Sends what the socket takes.
  ///
  /// - Parameter staging: locked memory in which pieces are joined, so that an answer leaves in
  ///   one call; wiped after each use.
  /// - Returns: false when the peer is gone.
  mutating func flush(_ socket: StreamSocket, staging: SecretBytes) -> Bool {
    while !pieces.isEmpty {
      var staged = 0
      for (index, piece) in pieces.enumerated() where staged < staging.count {
        let start = index == 0 ? sent : 0
        let count = min(piece.count - start, staging.count - staged)
        piece.copy(start..<start + count, to: staging, at: staged)
        staged += count
      }
      let outcome = staging.withBytes { socket.send($0.extracting(first: staged), from: 0) }
      staging.wipe(0..<staged)
      switch outcome {
      case .wouldBlock: return true
      case .ended: return false
      case .moved(let count): advance(count)
      }
    }
    return true
  }

  private mutating func advance(_ count: Int) {
    waiting -= count
    sent += count
    while let piece = pieces.first, sent >= piece.count {
      sent -= piece.count
      pieces.removeFirst()
    }
  }
}

extension SecretBytes {
  /// Zeros in a part, for memory that is used again.
  func wipe(_ range: Range<Int>) {
    withMutableBytes { bytes in
      for index in range { bytes[index] = 0 }
    }
  }
}
