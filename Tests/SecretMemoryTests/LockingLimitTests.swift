import Glibc
import SecretMemory
import Testing

/// In processes of their own, since what they give up does not come back.
struct LockingLimitTests {
  @Test func `where nothing can be locked, a service gets no memory`() async {
    await #expect(processExitsWith: .success) {
      LockingLimit.reduceToNothing()
      #expect(throws: SecretMemoryError.exhausted) { try LockedArena.shared.prime() }
      #expect(throws: SecretMemoryError.exhausted) { try SecretBytes(count: 1) }
    }
  }

  @Test func `where nothing can be locked, a client may go on`() async {
    await #expect(processExitsWith: .success) {
      LockingLimit.reduceToNothing()
      LockedArena.shared.requireLocking(false)
      try LockedArena.shared.prime()
      #expect(try SecretBytes(count: 1_000_000).count == 1_000_000)
    }
  }

  @Test func `a failed growth leaves what there is usable`() async {
    await #expect(processExitsWith: .success) {
      try LockedArena.shared.prime()
      LockingLimit.reduceToNothing()
      let kept = try SecretBytes(count: 200_000)
      kept.withMutableBytes { $0[199_999] = 7 }
      #expect(throws: SecretMemoryError.exhausted) { try SecretBytes(count: 200_000) }
      #expect(kept.withBytes { $0[199_999] } == 7)
      #expect(try SecretBytes(count: 64).count == 64)
    }
  }
}

enum LockingLimit {
  /// No more locked memory for this process. Root may lock in spite of the limit, so it becomes
  /// somebody else first.
  static func reduceToNothing() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    precondition(setrlimit(__rlimit_resource_t(8), &limit) == 0)
    if geteuid() == 0 { precondition(setuid(65_534) == 0) }
  }
}
