import CLinux
import Glibc

/// A clock that only goes forward, for time limits.
public enum SteadyClock {
  /// Milliseconds since some moment in the past.
  public static func milliseconds() -> Int64 {
    var time = timespec()
    // SAFETY: the out-parameter is valid for the length of the call.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
