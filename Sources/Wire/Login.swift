/// What a login program says or asks of one account, through pam_whorl.
///
/// Only uid 0 may name another account than its own; everyone else may only ask for a verify of
/// the own one, and gets yes or no.
public struct Login: Equatable, Sendable {
  public enum Step: UInt8, CaseIterable, Sendable {
    /// Asks for a touch. The reply is one secret, the login secret, where that is wanted, kept and
    /// given to this peer; else `done`.
    case verify = 1
    /// The frame before is the password that the stack has just accepted. The reply only says that
    /// it arrived.
    case capture
    /// The frame before is the password that has just become the account's.
    case passwordChanged
    case sessionOpened
    case sessionClosed

    /// Whether a secret stands before the request.
    public var bringsSecret: Bool {
      switch self {
      case .capture, .passwordChanged: true
      case .verify, .sessionOpened, .sessionClosed: false
      }
    }
  }

  /// Bytes of each of the texts.
  public static let textLimit = 256

  public var step: Step
  /// The account's name.
  public var user: [UInt8]
  /// The PAM service, for the record.
  public var service: [UInt8]
  /// PAM_TTY and PAM_RHOST as they are, empty where unset.
  public var terminal: [UInt8]
  public var remoteHost: [UInt8]
  /// Whether a verify is to release the login secret, where the user keeps one.
  public var wantsSecret: Bool

  public init(
    _ step: Step, user: [UInt8], service: [UInt8], terminal: [UInt8] = [],
    remoteHost: [UInt8] = [], wantsSecret: Bool = false
  ) {
    self.step = step
    self.user = user
    self.service = service
    self.terminal = terminal
    self.remoteHost = remoteHost
    self.wantsSecret = wantsSecret
  }

  public func encode(into encoder: inout Encoder) {
    encoder.uint8(step.rawValue)
    encoder.string(user)
    encoder.string(service)
    encoder.string(terminal)
    encoder.string(remoteHost)
    encoder.bool(wantsSecret)
  }

  public init(from decoder: inout Decoder) throws(DecodingError) {
    guard let step = Step(rawValue: try decoder.uint8()) else { throw .invalid }
    self.step = step
    user = try decoder.string(limit: Self.textLimit)
    service = try decoder.string(limit: Self.textLimit)
    terminal = try decoder.string(limit: Self.textLimit)
    remoteHost = try decoder.string(limit: Self.textLimit)
    wantsSecret = try decoder.bool()
  }
}
