/// What logind says of one session, from its signals.
public struct SessionFacts: Equatable, Sendable {
  public var id: String
  public var uid: UInt32
  /// `user`, `greeter`, `lock-screen`, `background`, …
  public var sessionClass: String
  public var isActive: Bool
  /// Empty when the session is on no seat.
  public var seat: String
  public var isRemote: Bool
  public var remoteHost: String
  public var terminal: String
  /// `closing` sessions are on their way out.
  public var state: String
  /// What the desktop set; some lockers never do.
  public var lockedHint: Bool
  /// A Lock signal, or `whorl lock`, not yet followed by a login or the desktop's unlock.
  public var wasLocked = false
  /// Whether the hint was ever seen to say that the screen is locked.
  public var usesHint = false

  public var isLocked: Bool { lockedHint || wasLocked }

  /// A session that lets people in: before one of theirs, or over it.
  public var isGreeter: Bool { sessionClass == "greeter" || sessionClass == "lock-screen" }

  /// A session a person works in.
  public var isLive: Bool { sessionClass == "user" && state != "closing" }
}

/// The session that stands for a process.
public enum SessionAnswer: Equatable, Sendable {
  case session(SessionFacts)
  /// The process is in no session, and none stands for it.
  case none
  /// logind is not there or did not answer.
  case absent
}
