import CLinux
import Glibc

/// The calendar clock, for dates people set; never for the age of evidence.
public enum WallClock {
  /// Whole days since 1970 in UTC.
  public static func daysSince1970() -> Int {
    var time = timespec()
    // SAFETY: the out-parameter is valid.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) / 86_400
  }
}

/// Ends the process at once: no exit handlers of loaded modules, no flushing.
public func exitNow(_ status: Int32) -> Never {
  _exit(status)
}
