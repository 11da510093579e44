import SecretMemory
import Wire

/// Cuts what a peer sends into frames. Bytes arrive in locked memory and a secret goes from there
/// into locked memory of its own; only the messages around it reach ordinary memory.
struct FrameReader {
  enum Frame {
    case message([UInt8])
    case secret(SecretBytes)
  }

  enum Problem: Error {
    /// A length over its limit, or an empty frame.
    case malformed
    /// A secret before hello, or more than may wait.
    case unexpectedSecret
    /// No locked memory is left for this peer.
    case busy
  }

  private var header: [UInt8] = []
  private var type: UInt8 = 0
  private var missing = 0
  private var message: [UInt8] = []
  private var secret: SecretBytes?
  private var isInBody = false
  /// Secrets since the last message; nil before the first message, which is the hello.
  private var waiting: Int?

  /// Bytes of the secret that has begun.
  var secretCount: Int { secret?.count ?? 0 }

  /// Whether a frame has begun and not ended.
  var isPartial: Bool { isInBody || !header.isEmpty }

  /// Takes bytes from `span` at `position` up to the end of one frame.
  ///
  /// - Parameter takeSecret: asked for the memory of a secret when its length is known.
  /// - Returns: a frame, or nil when all bytes were taken and none is whole yet.
  mutating func next(
    _ span: Span<UInt8>, _ position: inout Int, end: Int,
    takeSecret: (Int) throws(Problem) -> SecretBytes
  ) throws(Problem) -> Frame? {
    while position < end {
      if !isInBody {
        header.append(span[position])
        position += 1
        guard header.count == FrameHeader.count else { continue }
        try begin(takeSecret)
      } else {
        let count = min(missing, end - position)
        copy(span, position, count)
        position += count
        missing -= count
      }
      if isInBody, missing == 0 { return finish() }
    }
    return nil
  }

  private mutating func begin(
    _ takeSecret: (Int) throws(Problem) -> SecretBytes
  ) throws(Problem) {
    let parsed: FrameHeader
    do { parsed = try FrameHeader(header.span) } catch { throw .malformed }
    header.removeAll(keepingCapacity: true)
    isInBody = true
    missing = parsed.bodyCount
    if parsed.isSecret {
      // Before any memory is taken, and for one secret more than the session would take.
      guard let waiting, waiting < SessionMachine.secretLimit else { throw .unexpectedSecret }
      secret = try takeSecret(parsed.bodyCount)
    } else {
      message = []
      message.reserveCapacity(parsed.bodyCount + 1)
      message.append(parsed.type)
    }
  }

  private mutating func copy(_ span: Span<UInt8>, _ position: Int, _ count: Int) {
    if let secret {
      let offset = secret.count - missing
      secret.withMutableBytes { bytes in
        for index in 0..<count { bytes[offset + index] = span[position + index] }
      }
    } else {
      message.append(addingCapacity: count) { own in
        for index in position..<position + count { own.append(span[index]) }
      }
    }
  }

  private mutating func finish() -> Frame {
    isInBody = false
    defer {
      secret = nil
      message = []
    }
    if let secret {
      waiting = waiting.map { $0 + 1 }
      return .secret(secret)
    }
    waiting = 0
    return .message(message)
  }
}
