/// Why a request failed: a code for programs, a cause for people, and what it is about.
public struct Failure: Error, Equatable, Sendable {
  public let code: FailureCode
  /// Names the item, file or program meant, where that helps; never a secret.
  public let detail: [UInt8]

  public init(_ code: FailureCode, detail: [UInt8] = []) {
    self.code = code
    self.detail = detail
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint8(code.rawValue)
    encoder.string(detail)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = FailureCode(rawValue: try decoder.uint8()) else { throw .invalid }
    self.code = code
    detail = try decoder.string()
  }
}

/// Every way a request can fail. Numbers on the wire are never used again.
public enum FailureCode: UInt8, CaseIterable, Sendable {
  case notFound = 1
  case duplicate = 2
  /// A factor was given and is wrong, too often.
  case authenticationFailed = 3
  case cancelled = 4
  /// A person is needed and may not be asked.
  case interactionNotAllowed = 5
  case badParameter = 6
  /// The item was bound to an enrollment state that is gone.
  case invalidated = 7
  case lockout = 8
  case notEnrolled = 9
  case noReader = 10
  case passcodeNotSet = 11
  /// Something is in use or full for the moment: the reader, the queue, memory.
  case busy = 12
  /// The session is locked, or was never unlocked since boot.
  case locked = 13
  /// Nobody answered in time.
  case timedOut = 14
  /// A part of the host that the request needs does not answer or is not installed.
  case unavailable = 15
  /// A finger cannot be proven from a remote or background session.
  case notAtReader = 16
  /// What was frozen at the start changed before release: item, session, program, enrollment.
  case changedMeanwhile = 17
  /// The item cannot be opened: its bytes are not what was sealed.
  case corrupted = 18
  case storageFull = 19
  case quotaExceeded = 20
  case protocolViolation = 21
  case notPermitted = 22
  case internalError = 23
  /// The auth context was invalidated.
  case invalidContext = 24
  /// The password must be given first: since boot, for too long, or for there is none to release.
  case passcodeFirst = 25
  /// The sealed form that was brought from the store outside is not the item's current one.
  case notCurrent = 26

  /// The `OSStatus` that stands for it. Those without one of Apple's own keep its value for the
  /// LAError of the same meaning, or -181 for busy, so that the low byte is the exit status.
  public var status: Int32 {
    switch self {
    case .notFound: -25300
    case .duplicate: -25299
    case .authenticationFailed, .timedOut, .changedMeanwhile: -25293
    case .cancelled: -128
    case .passcodeFirst: -8
    case .interactionNotAllowed, .locked, .notAtReader: -25308
    case .badParameter: -50
    case .invalidated, .corrupted, .notCurrent: -26275
    case .lockout: -8
    case .notEnrolled: -7
    case .noReader: -6
    case .passcodeNotSet: -5
    case .busy: -181
    case .unavailable: -25291
    case .storageFull, .quotaExceeded: -34
    case .protocolViolation, .internalError: -67671
    case .notPermitted: -61
    case .invalidContext: -10
    }
  }

  /// The exit status of `whorl`: the low byte of ``status`` for the published codes, else 1.
  /// No failure exits 0.
  public var exitStatus: Int32 {
    switch self {
    case .notFound, .duplicate, .authenticationFailed, .cancelled, .interactionNotAllowed,
      .badParameter, .invalidated, .lockout, .notEnrolled, .noReader, .passcodeNotSet, .busy,
      .passcodeFirst:
      status & 0xff
    case .locked, .notAtReader: FailureCode.interactionNotAllowed.exitStatus
    case .timedOut, .changedMeanwhile: FailureCode.authenticationFailed.exitStatus
    case .unavailable, .corrupted, .notCurrent, .storageFull, .quotaExceeded, .protocolViolation,
      .notPermitted, .internalError, .invalidContext:
      1
    }
  }
}
