import Wire

/// Why a call failed: a code for programs, Apple's codes for ported ones, and what it is about.
public struct KeychainError: Error, Equatable, Sendable {
  public let code: FailureCode
  /// Names the item, file or program meant, where that helps. Bytes from outside: show them
  /// through ``displayText(_:)`` only. Never a secret.
  public let detail: [UInt8]
  /// What is wrong between this process and the service, when the service did not answer itself.
  public let problem: ConnectionProblem?
  /// What is wrong with the user's own keyring, where the item is kept or was to be.
  public let keyring: KeyringProblem?
  /// The `LAError` of the same meaning, for failures of authentication.
  public let cause: AuthenticationCause?

  public init(
    _ code: FailureCode, detail: [UInt8] = [], problem: ConnectionProblem? = nil,
    cause: AuthenticationCause? = nil, keyring: KeyringProblem? = nil
  ) {
    self.keyring = keyring
    self.code = code
    self.detail = detail
    self.problem = problem
    self.cause = cause ?? AuthenticationCause(code)
  }

  init(_ failure: Failure) {
    self.init(failure.code, detail: failure.detail)
  }

  /// For stores outside.
  public init(keyring problem: KeyringProblem) {
    self.init(
      problem.code, cause: problem == .cancelled ? .appCancel : nil, keyring: problem)
  }

  /// For transports.
  public init(_ problem: ConnectionProblem) {
    self.init(problem.code, detail: problem.detail, problem: problem)
  }

  /// The `OSStatus` that Apple's functions return for it: one code for every authentication that
  /// did not succeed, whatever the ``cause``.
  public var status: Int32 {
    // Only the person's own cancel is told as one.
    if cause == .appCancel { return -25293 }
    switch code {
    case .lockout, .notEnrolled, .noReader, .passcodeNotSet, .busy, .invalidContext,
      .passcodeFirst:
      return -25293
    case .notFound, .duplicate, .authenticationFailed, .cancelled, .interactionNotAllowed,
      .badParameter, .invalidated, .locked, .timedOut, .unavailable, .notAtReader,
      .changedMeanwhile, .corrupted, .notCurrent, .storageFull, .quotaExceeded, .protocolViolation,
      .notPermitted, .internalError:
      return code.status
    }
  }
}

/// The codes of `LAError`, with Apple's raw values.
public enum AuthenticationCause: Int, CaseIterable, Sendable {
  case authenticationFailed = -1
  case userCancel = -2
  case systemCancel = -4
  case passcodeNotSet = -5
  case biometryNotAvailable = -6
  case biometryNotEnrolled = -7
  case biometryLockout = -8
  case appCancel = -9
  case invalidContext = -10
  case notInteractive = -1004

  /// nil for failures that are not about authentication.
  init?(_ code: FailureCode) {
    switch code {
    case .authenticationFailed, .changedMeanwhile: self = .authenticationFailed
    case .cancelled: self = .userCancel
    case .timedOut, .busy: self = .systemCancel
    case .passcodeNotSet: self = .passcodeNotSet
    case .noReader, .notAtReader: self = .biometryNotAvailable
    case .notEnrolled: self = .biometryNotEnrolled
    case .lockout, .passcodeFirst: self = .biometryLockout
    case .invalidContext: self = .invalidContext
    case .interactionNotAllowed, .locked: self = .notInteractive
    case .notFound, .duplicate, .badParameter, .invalidated, .unavailable, .corrupted,
      .notCurrent, .storageFull, .quotaExceeded, .protocolViolation, .notPermitted, .internalError:
      return nil
    }
  }
}
