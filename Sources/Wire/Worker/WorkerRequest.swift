/// What whorld asks of a worker process. One connection carries one question; an authentication
/// may go on with ``passcode``.
///
/// A message is `uint32` length (of what follows, at most ``Limits/message``), one type byte, the
/// fields in the order given here, nothing after them. Fields are encoded by ``Encoder``.
public enum WorkerRequest: Equatable, Sendable {
  /// Type 1: service text, optional folder text, user text, uid, remote host text, terminal text.
  case authenticate(Authentication)
  /// Type 2, no fields. The next frame is the secret: `uint32` length (at most
  /// ``WorkerRequest/passcodeLimit``) and its bytes, which no codec touches.
  case passcode
  /// Type 3: `uint32` uid. Answered by ``WorkerReply/name(_:)``.
  case name(uid: UInt32)
  /// Type 4: name text. Answered by ``WorkerReply/uid(_:)``.
  case uid(name: String)
  /// Type 5: name text. Answered by ``WorkerReply/passwordState(_:)``.
  case shadow(name: String)
  /// Type 6: name text. Answered by ``WorkerReply/passwordMark(_:)``.
  case passwordMark(name: String)

  /// One PAM transaction.
  public struct Authentication: Equatable, Sendable {
    public var service: WorkerService
    /// The folder of PAM service files; `nil` means the system's.
    public var directory: String?
    public var user: String
    /// The uid `user` must have; another one is a failure.
    public var uid: UInt32
    /// The host of a remote session, empty for a local one.
    public var remoteHost: String
    /// The terminal of the caller, or empty.
    public var terminal: String

    public init(
      service: WorkerService, directory: String? = nil, user: String, uid: UInt32,
      remoteHost: String = "", terminal: String = ""
    ) {
      self.service = service
      self.directory = directory
      self.user = user
      self.uid = uid
      self.remoteHost = remoteHost
      self.terminal = terminal
    }
  }

  /// Bytes of a passcode: Linux-PAM's own limit less its final zero.
  public static let passcodeLimit = 511
  /// Bytes of a name, host or terminal.
  static let nameLimit = 256
  /// Bytes of a path.
  static let pathLimit = 4096

  /// The message with its length, ready for the socket.
  public func encoded() -> [UInt8] {
    var encoder = Encoder()
    switch self {
    case .authenticate(let request):
      encoder.uint8(1)
      encoder.text(request.service.rawValue)
      encoder.optional(request.directory) { $0.text($1) }
      encoder.text(request.user)
      encoder.uint32(request.uid)
      encoder.text(request.remoteHost)
      encoder.text(request.terminal)
    case .passcode:
      encoder.uint8(2)
    case .name(let uid):
      encoder.uint8(3)
      encoder.uint32(uid)
    case .uid(let name):
      encoder.uint8(4)
      encoder.text(name)
    case .shadow(let name):
      encoder.uint8(5)
      encoder.text(name)
    case .passwordMark(let name):
      encoder.uint8(6)
      encoder.text(name)
    }
    return WorkerFrame.framed(encoder.bytes)
  }

  /// Reads a message without its length.
  public init(decoding bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    switch try decoder.uint8() {
    case 1:
      guard let service = WorkerService(rawValue: try Self.name(&decoder)) else { throw .invalid }
      let directory = try decoder.optional { (decoder) throws(DecodingError) in
        try decoder.text(limit: Self.pathLimit)
      }
      self = .authenticate(
        Authentication(
          service: service, directory: directory, user: try Self.name(&decoder),
          uid: try decoder.uint32(), remoteHost: try Self.name(&decoder),
          terminal: try Self.name(&decoder)))
    case 2: self = .passcode
    case 3: self = .name(uid: try decoder.uint32())
    case 4: self = .uid(name: try Self.name(&decoder))
    case 5: self = .shadow(name: try Self.name(&decoder))
    case 6: self = .passwordMark(name: try Self.name(&decoder))
    default: throw .invalid
    }
    try decoder.finish()
  }

  /// A zero byte would end the name early for C, so that two readers would see two names.
  private static func name(_ decoder: inout Decoder) throws(DecodingError) -> String {
    let text = try decoder.text(limit: nameLimit)
    guard !text.utf8.contains(0) else { throw .invalid }
    return text
  }
}
