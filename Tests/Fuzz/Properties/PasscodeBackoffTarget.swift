@testable import Daemon

extension FuzzTarget {
  /// The clock, what lies in the file of earlier failures, then what happens.
  static let passcodeBackoff = FuzzTarget(name: "passcode-backoff") { bytes in
    var choices = Choices(bytes)
    let scratch = try Scratch()
    var now = choices.uint64() >> 2
    if choices.bool() { try scratch.write(choices.field(limit: 80), to: "backoff-7") }
    var backoff = PasscodeBackoff(folder: scratch.path)
    var failures: UInt32 = 0
    while !choices.isEmpty {
      let before = backoff.wait(7, now: now)
      switch choices.number(below: 5) {
      case 0:
        backoff.fail(7, now: now)
        failures += 1
        try require(
          failures < PasscodeBackoff.freeTries || backoff.wait(7, now: now) >= 1,
          "the third failure in a row makes the next try wait")
      case 1:
        backoff.succeed(7)
        failures = 0
        try require(backoff.wait(7, now: now) == 0, "after a success nothing waits")
      case 2:
        backoff = PasscodeBackoff(folder: scratch.path)
        try require(backoff.wait(7, now: now) == before, "a restart changes no wait")
      case 3: now += UInt64(choices.byte()) * 1_000_000_000
      default: now += UInt64(choices.byte())
      }
      try require(
        backoff.wait(7, now: now) <= PasscodeBackoff.longest, "no wait is over a minute")
      try require(backoff.wait(8, now: now) == 0, "nobody waits for another's failures")
    }
  }
}
