import Glibc
import Linux
import SecretMemory
import Wire

@testable import WhorlClient

extension FuzzTarget {
  /// A field of piece lengths, then the stream of a server, which arrives over a socket in those
  /// pieces.
  static let clientStream = FuzzTarget(name: "client-stream") { bytes in
    var choices = Choices(bytes)
    let pieces = choices.field(limit: 16)
    // What one socket takes before anyone reads from it.
    let stream = Array(choices.rest().prefix(64 * 1024))
    let expected = FrameCut(stream)
    let (client, server) = try pair()
    var buffer = ReceiveBuffer()
    var frames: [FrameCut.Piece] = []
    do throws(KeychainError) {
      for piece in split(stream, into: pieces) where !piece.isEmpty {
        guard case .moved(let count) = server.send(Array(piece).span, from: 0),
          count == piece.count
        else { throw KeychainError(.silent) }
        while Readiness.wait([client.descriptor], milliseconds: 0) == [0] {
          try buffer.fill(from: client, waiting: false)
          while let frame = try buffer.nextFrame() { frames.append(FrameCut.Piece(frame)) }
        }
      }
    } catch {
      try require(
        error.problem == .malformed && expected.isMalformed || error.problem == .exhausted,
        "a stream is refused only for a frame that is none: \(error)")
      try require(expected.frames.starts(with: frames), "frames are those of the stream")
      return
    }
    try require(
      frames == expected.frames && !expected.isMalformed,
      "how a server's stream arrives does not change its frames")
  }
}

private func pair() throws -> (StreamSocket, StreamSocket) {
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
  else { throw SystemError(code: errno, call: "socketpair") }
  return (
    StreamSocket(OwnedDescriptor(owning: ends[0])), StreamSocket(OwnedDescriptor(owning: ends[1]))
  )
}

extension FrameCut.Piece {
  init(_ frame: Frame) {
    switch frame {
    case .message(let message): self.init(isSecret: false, bytes: message)
    case .secret(let secret): self.init(isSecret: true, bytes: secret.copied)
    }
  }
}
