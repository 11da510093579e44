/// What may be done with an item now.
public enum Judgement: Equatable, Sendable {
  /// Open it; the terms that evidence satisfied.
  case open([Requirement])
  /// These factors are missing: each element is one sufficient set, none of them empty.
  case needEvidence([[Factor]])
  case refused(Refusal)
}

/// Why a judgement is no, as a value for the record and for the caller's own words.
public enum Refusal: Equatable, Sendable {
  /// The session is locked, or there is none.
  case locked
  /// No unlock since boot.
  case notUnlockedSinceBoot
  /// The account has no usable password.
  case passcodeNotSet
  /// Every branch was bound to an enrollment state that is gone.
  case invalidated
  /// No branch can be satisfied, because a finger cannot be asked for.
  case biometryUnavailable(BiometryObstacle)
}

/// Why no finger can be asked for.
public enum BiometryObstacle: UInt8, CaseIterable, Sendable {
  case noReader = 1
  case notEnrolled = 2
  /// Too many fingers did not match, and no password was given since.
  case lockout = 3
  /// Another program holds the reader.
  case busy = 4
  /// The fingerprint service does not answer.
  case noService = 5
  /// The session is remote: the person is not at the reader.
  case remote = 6
  /// The session is not the active one on a seat, or there is none.
  case notAtSeat = 7
  /// The PAM service is not installed.
  case notInstalled = 8
  case suspended = 9
  /// The administrator wants the password before a finger: after boot, or after some hours.
  case passcodeFirst = 10
}
