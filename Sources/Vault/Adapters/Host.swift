import AccessControl

/// What the engine asks the host, answered from cached facts without waiting.
public protocol Host: AnyObject {
  /// The facts about the subject's user and session now; the engine fills in the generation.
  func facts(for subject: Subject) -> Facts

  /// The caller's subject with the login session and terminal it is in now; nil when it is gone.
  func located(_ caller: PendingOperation.Caller) -> Subject?

  /// Whether the process that asked still lives and runs the same executable as when it
  /// connected.
  func isUnchanged(_ caller: PendingOperation.Caller) -> Bool

  /// CLOCK_BOOTTIME in nanoseconds.
  var uptime: UInt64 { get }

  /// Seconds since 1970.
  var date: UInt64 { get }
}
