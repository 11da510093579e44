import AccessControl
import Vault

/// The facts about the host that a test sets. At first: unlocked, a password set, a reader there.
public final class ScriptedHost: Host {
  public var isUnlocked = true
  public var wasUnlockedSinceBoot = true
  public var hasPasscode = true
  public var biometryObstacle: BiometryObstacle?
  /// Processes that are no longer what they were when they asked.
  public var changedProcesses: Set<Int32> = []
  /// Nanoseconds of CLOCK_BOOTTIME.
  public var uptime: UInt64 = 1_000_000_000_000
  /// Seconds since 1970.
  public var date: UInt64 = 1_800_000_000

  public init() {}

  /// Lets time pass.
  public func wait(seconds: UInt64) {
    uptime += seconds * 1_000_000_000
    date += seconds
  }

  public func facts(for subject: Subject) -> Facts {
    Facts(
      user: subject.user, isUnlocked: isUnlocked, wasUnlockedSinceBoot: wasUnlockedSinceBoot,
      hasPasscode: hasPasscode, biometryObstacle: biometryObstacle)
  }

  public func located(_ caller: PendingOperation.Caller) -> Subject? { caller.subject }

  public func isUnchanged(_ caller: PendingOperation.Caller) -> Bool {
    !changedProcesses.contains(caller.subject.process)
  }
}
