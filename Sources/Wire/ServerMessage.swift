/// What the daemon sends: steps while a request runs, then one reply or failure.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to the client's hello.
  case hello(version: UInt32)
  case step(PromptStep)
  /// The request is done; the secrets it released are the frames before, in order.
  case done(Reply)
  case failed(Failure)
  /// The running request wants something of the store outside.
  case store(StoreStep)

  private enum Code: UInt8 {
    case hello = 1
    case step, done, failed, store
  }

  /// The message with its type byte first, as it stands in a frame.
  public var encoded: [UInt8] {
    var encoder = Encoder()
    encode(into: &encoder)
    return encoder.bytes
  }

  /// The message as it is sent: length, type byte and the rest.
  public var frame: [UInt8] {
    var encoder = Encoder()
    encoder.nested { encoder in encode(into: &encoder) }
    return encoder.bytes
  }

  private func encode(into encoder: inout Encoder) {
    switch self {
    case .hello(let version):
      encoder.uint8(Code.hello.rawValue)
      encoder.uint32(version)
    case .step(let step):
      encoder.uint8(Code.step.rawValue)
      step.encode(into: &encoder)
    case .done(let reply):
      encoder.uint8(Code.done.rawValue)
      reply.encode(into: &encoder)
    case .failed(let failure):
      encoder.uint8(Code.failed.rawValue)
      failure.encode(into: &encoder)
    case .store(let step):
      encoder.uint8(Code.store.rawValue)
      step.encode(into: &encoder)
    }
  }

  public init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .hello: self = .hello(version: try decoder.uint32())
    case .step: self = .step(try PromptStep(from: &decoder))
    case .done: self = .done(try Reply(from: &decoder))
    case .failed: self = .failed(try Failure(from: &decoder))
    case .store: self = .store(try StoreStep(from: &decoder))
    }
    try decoder.finish()
  }
}
