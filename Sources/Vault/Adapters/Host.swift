import AccessControl

/// What the engine asks the host, answered from cached facts without waiting.
public protocol Host: AnyObject {
  /// The facts about the subject's user and session now; the engine fills in the generation.
  func facts(for subject: Subject) -> Facts

  /// The subject with the login session and terminal it is in now; nil when it is gone.
  func located(_ subject: Subject) -> Subject?

  /// Whether the process that asked still lives and runs the same executable as when it was
  /// accepted.
  func isUnchanged(_ subject: Subject) -> Bool

  /// CLOCK_BOOTTIME in nanoseconds.
  var uptime: UInt64 { get }

  /// Seconds since 1970.
  var date: UInt64 { get }
}
