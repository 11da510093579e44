import Glibc

/// Nanoseconds that only go forward.
func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Nanoseconds that `body` took.
func timed(_ body: () throws -> Void) rethrows -> UInt64 {
  let start = now()
  try body()
  return now() - start
}

extension Collection where Element: Comparable {
  /// The value below which the given share of all lies.
  func percentile(_ share: Double) -> Element {
    let sorted = sorted()
    return sorted[Swift.min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  var median: Element { percentile(0.5) }
}

/// The median of the ratios of each round: what a busy machine did to one round it did to both.
func ratio(_ values: [UInt64], to base: [UInt64]) -> Double {
  zip(values, base).map { Double($0) / Double($1) }.median
}
