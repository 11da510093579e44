import AccessControl

/// What the engine asks the host, answered from cached facts without waiting.
public protocol Host: AnyObject {
  /// The facts about the subject's user and session now; the engine fills in the generation.
  func facts(for subject: Subject) -> Facts

  /// Whether the process that asked still lives, runs the same executable and stands in the same
  /// session as when it connected.
  func isUnchanged(_ caller: PendingOperation.Caller) -> Bool

  /// CLOCK_BOOTTIME in nanoseconds.
  var uptime: UInt64 { get }

  /// Seconds since 1970.
  var date: UInt64 { get }
}
