import CLinux
import Glibc

/// The clock of evidence: it runs on during suspend and no one can set it.
public enum BootClock {
  /// Milliseconds since boot, suspend included.
  public static func milliseconds() -> UInt64 { nanoseconds() / 1_000_000 }

  /// Nanoseconds since boot, suspend included.
  public static func nanoseconds() -> UInt64 {
    var time = timespec()
    // SAFETY: the out-parameter is valid.
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A descriptor that becomes readable at a time of ``BootClock``.
public final class BootTimer {
  private let descriptor: OwnedDescriptor

  public init() throws(SystemError) {
    let raw = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard raw >= 0 else { throw SystemError(code: errno, call: "timerfd_create") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  public var fileDescriptor: Int32 { descriptor.raw }

  /// Arms for a time in milliseconds of ``BootClock``, or disarms with `nil`.
  public func arm(at milliseconds: UInt64?) {
    // Zero would disarm, so the earliest time is one nanosecond after boot.
    let nanoseconds = milliseconds.map { max(1, $0 * 1_000_000) } ?? 0
    var value = itimerspec()
    value.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
    value.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    // SAFETY: the value is read during the call only.
    unsafe _ = timerfd_settime(descriptor.raw, Int32(TFD_TIMER_ABSTIME), &value, nil)
  }

  /// Takes the expirations, so that the descriptor is no longer readable.
  public func drain() {
    var count: UInt64 = 0
    // SAFETY: eight bytes are what a timer descriptor writes.
    unsafe _ = read(descriptor.raw, &count, 8)
  }
}
