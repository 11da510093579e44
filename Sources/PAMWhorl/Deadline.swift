import CLinux

/// A moment on the clock that nobody sets.
struct Deadline {
  /// Milliseconds of CLOCK_MONOTONIC.
  private let moment: Int64

  /// - Parameter milliseconds: from now.
  init(after milliseconds: Int64) {
    moment = Self.now() + milliseconds
  }

  private init(at moment: Int64) {
    self.moment = moment
  }

  func earlier(_ other: Deadline) -> Deadline {
    Deadline(at: min(moment, other.moment))
  }

  /// Milliseconds left, 0 when it has passed.
  var left: Int32 { Int32(clamping: max(0, moment - Self.now())) }

  private static func now() -> Int64 {
    var time = timespec()
    // SAFETY: the structure is ours.
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
