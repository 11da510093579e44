import AccessControl

/// One step of a request that waits for a person. The client shows it; it decides nothing.
public enum PromptStep: Equatable, Sendable {
  /// Another request of this user is at the head: a touch now serves that one, so this client
  /// must not ask for a touch. Sent again whenever the head changes.
  case queued(program: [UInt8], item: [UInt8])
  /// This request is at the head: show it, then answer `shown`.
  case show(Prompt)
  /// The reader waits for a finger.
  case armed(prompt: UInt32)
  case notice(prompt: UInt32, Notice)

  private enum Code: UInt8 {
    case queued = 1
    case show, armed, notice
  }

  func encode(into encoder: inout Encoder) {
    switch self {
    case .queued(let program, let item):
      encoder.uint8(Code.queued.rawValue)
      encoder.string(program)
      encoder.string(item)
    case .show(let prompt):
      encoder.uint8(Code.show.rawValue)
      prompt.encode(into: &encoder)
    case .armed(let prompt):
      encoder.uint8(Code.armed.rawValue)
      encoder.uint32(prompt)
    case .notice(let prompt, let notice):
      encoder.uint8(Code.notice.rawValue)
      encoder.uint32(prompt)
      encoder.uint8(notice.kind.rawValue)
      encoder.uint32(notice.seconds)
    }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .queued: self = .queued(program: try decoder.string(), item: try decoder.string())
    case .show: self = .show(try Prompt(from: &decoder))
    case .armed: self = .armed(prompt: try decoder.uint32())
    case .notice:
      let prompt = try decoder.uint32()
      guard let kind = Notice.Kind(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .notice(prompt: prompt, Notice(kind, seconds: try decoder.uint32()))
    }
  }
}

/// What a person is asked, and for what.
public struct Prompt: Equatable, Sendable {
  public var id: UInt32
  /// The factors that can be given now, all live together.
  public var factors: [Factor]
  /// The names of the items that one act releases.
  public var items: [[UInt8]]
  /// The executable's path, unverified.
  public var program: [UInt8]
  public var reason: [UInt8]
  /// Seconds for which the act serves again, 0 for never.
  public var reuse: UInt32
  /// Whether it serves again what the program asks for with the same auth context, and nobody else.
  public var reusesInContext: Bool
  public var purpose: PromptPurpose

  public init(
    id: UInt32, factors: [Factor], items: [[UInt8]], program: [UInt8], reason: [UInt8],
    reuse: UInt32, reusesInContext: Bool = false, purpose: PromptPurpose = .release
  ) {
    self.id = id
    self.factors = factors
    self.items = items
    self.program = program
    self.reason = reason
    self.reuse = reuse
    self.reusesInContext = reusesInContext
    self.purpose = purpose
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint32(id)
    encoder.list(factors) { encoder, factor in encoder.uint8(factor.rawValue) }
    encoder.list(items) { encoder, item in encoder.string(item) }
    encoder.string(program)
    encoder.string(reason)
    encoder.uint32(reuse)
    encoder.bool(reusesInContext)
    encoder.uint8(purpose.rawValue)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    id = try decoder.uint32()
    factors = try decoder.list(limit: Factor.allCases.count) { decoder throws(DecodingError) in
      guard let factor = Factor(rawValue: try decoder.uint8()) else { throw .invalid }
      return factor
    }
    items = try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
      try decoder.string()
    }
    program = try decoder.string()
    reason = try decoder.string()
    reuse = try decoder.uint32()
    reusesInContext = try decoder.bool()
    guard let purpose = PromptPurpose(rawValue: try decoder.uint8()) else { throw .invalid }
    self.purpose = purpose
  }
}

/// What happened at a prompt that goes on.
public struct Notice: Equatable, Sendable {
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// The finger did not match; try again.
    case noMatch = 1
    /// The reader saw too little; try again.
    case retryScan = 2
    /// A finger rested on the reader: lift, then touch again.
    case liftFirst = 3
    /// A wrong password; the next try is possible after `seconds`.
    case wrongPasscode = 4
    /// A wrong application password.
    case wrongApplicationPassword = 5
    /// Biometry is over for this prompt; the password still counts.
    case biometryEnded = 6
    /// The head before did not acknowledge its prompt and was dropped.
    case hiddenHeadDropped = 7
    /// No password is tried for `seconds`, after too many wrong ones. Sent when the prompt is
    /// shown, and for each password typed meanwhile, which was not tried.
    case passcodeNotTried = 8
  }

  public let kind: Kind
  /// Seconds to wait, 0 for none.
  public let seconds: UInt32

  public init(_ kind: Kind, seconds: UInt32 = 0) {
    self.kind = kind
    self.seconds = seconds
  }
}
