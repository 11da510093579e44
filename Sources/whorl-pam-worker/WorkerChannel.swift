import Linux
import SecretMemory
import Wire

/// The worker's end of the socket: one message at a time, never a byte ahead.
struct WorkerChannel {
  private let stream: BlockingStream

  init(descriptor: Int32) {
    stream = BlockingStream(descriptor)
  }

  func send(_ reply: WorkerReply) {
    // A vanished peer ends the process through `HangUpThread`.
    stream.write(reply.encoded().span)
  }

  /// The next request; `nil` when the peer is gone or does not speak the protocol.
  func receive() -> WorkerRequest? {
    guard let count = count(limit: Limits.message), let payload = stream.read(count: count) else {
      return nil
    }
    return try? WorkerRequest(decoding: payload)
  }

  /// The secret after a ``WorkerRequest/passcode``, read straight into locked memory.
  func receiveSecret() -> SecretBytes? {
    guard let count = count(limit: WorkerRequest.passcodeLimit),
      let secret = try? SecretBytes(count: count)
    else { return nil }
    let isComplete = secret.withMutableBytes { bytes in stream.fill(&bytes) }
    return isComplete ? secret : nil
  }

  private func count(limit: Int) -> Int? {
    guard let header = stream.read(count: WorkerFrame.headerCount) else { return nil }
    return try? WorkerFrame.count(header: header, limit: limit)
  }
}
