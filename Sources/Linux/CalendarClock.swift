import CLinux
import Glibc

/// The calendar clock, for display and for dates people set; never for the age of evidence.
public enum CalendarClock {
  /// Seconds since 1970.
  public static func seconds() -> UInt64 {
    UInt64(max(0, time(nil)))
  }

  /// Whole days since 1970 in UTC.
  public static func daysSince1970() -> Int {
    Int(seconds() / 86_400)
  }

  /// `YYYY-MM-DD HH:MM` in the local time zone.
  public static func text(_ seconds: UInt64) -> String {
    var parts: [Int32] = [0, 0, 0, 0, 0]
    // SAFETY: the array has room for the five numbers.
    let known = unsafe parts.withUnsafeMutableBufferPointer { buffer in
      unsafe whorl_local_time(Int64(clamping: seconds), buffer.baseAddress)
    }
    guard known else { return "?" }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts[0])-\(two(parts[1]))-\(two(parts[2])) \(two(parts[3])):\(two(parts[4]))"
  }
}
