import AccessControl

/// What a client sends. A secret is no message: it is a ``Frame`` of its own before the message
/// that uses it.
public enum ClientMessage: Equatable, Sendable {
  /// The first message, within 2 seconds of connecting.
  case hello(ClientHello)
  case request(Request)
  /// The prompt is on the person's screen; only now may the reader be armed for it.
  case shown(prompt: UInt32)
  /// The frame before holds what was typed.
  case answer(prompt: UInt32, Factor)
  /// Ends the running request as cancelled by the person.
  case cancel
  /// Forgets the evidence of an auth context, for good.
  case invalidate(context: UInt32)
  /// Some of a form that the request waits for.
  case form(FormPart)
  /// Ends the running request, since the client cannot go on with it. The reason is believed only as
  /// far as it says that nothing is to be released; see ``reasons``.
  case giveUp(FailureCode)

  private enum Code: UInt8 {
    case hello = 1
    case request, shown, answer, cancel, invalidate, form, giveUp
  }

  /// What can be in a client's way. It claims nothing of what the service itself finds out.
  public static let reasons: Set<FailureCode> = [
    .interactionNotAllowed, .locked, .timedOut, .unavailable, .notCurrent, .busy, .notPermitted,
    .badParameter,
  ]

  /// The message with its type byte first, as it stands in a frame.
  public var encoded: [UInt8] {
    var encoder = Encoder()
    switch self {
    case .hello(let hello):
      encoder.uint8(Code.hello.rawValue)
      hello.encode(into: &encoder)
    case .request(let request):
      encoder.uint8(Code.request.rawValue)
      request.encode(into: &encoder)
    case .shown(let prompt):
      encoder.uint8(Code.shown.rawValue)
      encoder.uint32(prompt)
    case .answer(let prompt, let factor):
      encoder.uint8(Code.answer.rawValue)
      encoder.uint32(prompt)
      encoder.uint8(factor.rawValue)
    case .cancel:
      encoder.uint8(Code.cancel.rawValue)
    case .invalidate(let context):
      encoder.uint8(Code.invalidate.rawValue)
      encoder.uint32(context)
    case .form(let part):
      encoder.uint8(Code.form.rawValue)
      part.encode(into: &encoder)
    case .giveUp(let reason):
      encoder.uint8(Code.giveUp.rawValue)
      encoder.uint8(reason.rawValue)
    }
    return encoder.bytes
  }

  public init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .hello: self = .hello(try ClientHello(from: &decoder))
    case .request: self = .request(try Request(from: &decoder))
    case .shown: self = .shown(prompt: try decoder.uint32())
    case .answer:
      let prompt = try decoder.uint32()
      guard let factor = Factor(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .answer(prompt: prompt, factor)
    case .cancel: self = .cancel
    case .invalidate: self = .invalidate(context: try decoder.uint32())
    case .form: self = .form(try FormPart(from: &decoder))
    case .giveUp:
      guard let reason = FailureCode(rawValue: try decoder.uint8()), Self.reasons.contains(reason)
      else { throw .invalid }
      self = .giveUp(reason)
    }
    try decoder.finish()
  }
}

/// How a client introduces itself. Nothing in it is believed; it is shown and recorded.
public struct ClientHello: Equatable, Sendable {
  /// The version of this protocol.
  public static let version: UInt32 = 1

  public var version: UInt32
  /// The client's access groups, its default first.
  public var groups: [[UInt8]]
  /// The program that asked this one to ask, for display only.
  public var via: [UInt8]

  public init(version: UInt32 = Self.version, groups: [[UInt8]] = [], via: [UInt8] = []) {
    self.version = version
    self.groups = groups
    self.via = via
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint32(version)
    encoder.list(groups) { encoder, group in encoder.string(group) }
    encoder.string(via)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    version = try decoder.uint32()
    groups = try decoder.list(limit: Limits.groups) { decoder throws(DecodingError) in
      try decoder.string(limit: 1024)
    }
    via = try decoder.string(limit: 1024)
  }
}
