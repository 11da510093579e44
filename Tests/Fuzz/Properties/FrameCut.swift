import Wire

/// The frames of a stream by the plain reading of ``Wire/FrameHeader``, which both ends' cutting
/// must agree with.
struct FrameCut: Equatable {
  struct Piece: Equatable {
    let isSecret: Bool
    /// A message with its type byte, a secret without.
    let bytes: [UInt8]
  }

  var frames: [Piece] = []
  /// Whether a frame that follows is none.
  var isMalformed = false
  /// The bytes of whole frames.
  var count = 0

  init() {}

  init(_ stream: [UInt8]) {
    while stream.count - count >= FrameHeader.count {
      let head = Array(stream[count..<count + FrameHeader.count])
      guard let header = try? FrameHeader(head.span) else {
        isMalformed = true
        return
      }
      let end = count + FrameHeader.count + header.bodyCount
      guard end <= stream.count else { return }
      let body = stream[count + FrameHeader.count..<end]
      frames.append(
        header.isSecret
          ? Piece(isSecret: true, bytes: Array(body))
          : Piece(isSecret: false, bytes: [header.type] + body))
      count = end
    }
  }
}
