/// What a worker answers: any number of texts and wishes, then one final message.
///
/// Framed as ``WorkerRequest``.
public enum WorkerReply: Equatable, Sendable {
  /// Type 1: text of a module for the person. Not to be trusted with a terminal.
  case info(String)
  /// Type 2: as ``info(_:)``, for a problem.
  case error(String)
  /// Type 3: the module waits for ``WorkerRequest/passcode``.
  case passcodeWanted
  /// Type 4, final: `int32` PAM return value, stage byte. Only ``PAMCode/success`` at stage
  /// ``WorkerStage/finished`` lets anyone in.
  case verdict(PAMCode, WorkerStage)
  /// Type 5, final: optional name text.
  case name(String?)
  /// Type 6, final: optional `uint32` uid.
  case uid(UInt32?)
  /// Type 7, final: state byte.
  case passwordState(PasswordState)
  /// Type 9, final: a `string` that is another after every change of the password, empty where the
  /// shadow database has no entry. It tells nothing of the password.
  case passwordMark([UInt8])
  /// Type 8, final: kind byte and text for the log.
  case failure(WorkerFailure, String)

  /// Bytes of a text for people; longer ones are cut.
  public static let textLimit = 1024
  /// Bytes of a mark.
  public static let markLimit = 32

  public var isFinal: Bool {
    switch self {
    case .info, .error, .passcodeWanted: false
    case .verdict, .name, .uid, .passwordState, .passwordMark, .failure: true
    }
  }

  /// The message with its length, ready for the socket.
  public func encoded() -> [UInt8] {
    var encoder = Encoder()
    switch self {
    case .info(let text):
      encoder.uint8(1)
      encoder.text(Self.cut(text))
    case .error(let text):
      encoder.uint8(2)
      encoder.text(Self.cut(text))
    case .passcodeWanted:
      encoder.uint8(3)
    case .verdict(let code, let stage):
      encoder.uint8(4)
      encoder.int32(code.rawValue)
      encoder.uint8(stage.rawValue)
    case .name(let name):
      encoder.uint8(5)
      encoder.optional(name) { $0.text($1) }
    case .uid(let uid):
      encoder.uint8(6)
      encoder.optional(uid) { $0.uint32($1) }
    case .passwordState(let state):
      encoder.uint8(7)
      encoder.uint8(state.rawValue)
    case .passwordMark(let mark):
      encoder.uint8(9)
      encoder.string(mark)
    case .failure(let failure, let text):
      encoder.uint8(8)
      encoder.uint8(failure.rawValue)
      encoder.text(Self.cut(text))
    }
    return WorkerFrame.framed(encoder.bytes)
  }

  /// Reads a message without its length.
  public init(decoding bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    switch try decoder.uint8() {
    case 1: self = .info(try decoder.text(limit: Self.textLimit))
    case 2: self = .error(try decoder.text(limit: Self.textLimit))
    case 3: self = .passcodeWanted
    case 4:
      let code = PAMCode(rawValue: try decoder.int32())
      guard let stage = WorkerStage(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .verdict(code, stage)
    case 5:
      self = .name(
        try decoder.optional { (decoder) throws(DecodingError) in
          try decoder.text(limit: WorkerRequest.nameLimit)
        })
    case 6:
      self = .uid(
        try decoder.optional { (decoder) throws(DecodingError) in try decoder.uint32() })
    case 7:
      guard let state = PasswordState(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .passwordState(state)
    case 8:
      guard let failure = WorkerFailure(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .failure(failure, try decoder.text(limit: Self.textLimit))
    case 9: self = .passwordMark(try decoder.string(limit: Self.markLimit))
    default: throw .invalid
    }
    try decoder.finish()
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    var cut = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= textLimit else { break }
      cut.append(scalar)
    }
    return String(cut)
  }
}
