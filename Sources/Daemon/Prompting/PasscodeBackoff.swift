import Linux
import Wire

/// How long a user must wait after wrong passcodes: after the third in a row 1, 2, 4 … 60 seconds.
///
/// Kept in a file, so that a restart of the daemon gives no free tries. A file that cannot be
/// written keeps the count in memory; one that cannot be read, or is of no such wait, counts as
/// three failures.
final class PasscodeBackoff {
  static let freeTries: UInt32 = 3
  static let longest: UInt64 = 60
  /// Where counting ends.
  private static let mostFailures: UInt32 = 1000

  private struct State: Equatable {
    var failures: UInt32
    /// CLOCK_BOOTTIME in nanoseconds.
    var until: UInt64
  }

  private static let second: UInt64 = 1_000_000_000

  private let folder: String
  private var states: [UInt32: State] = [:]

  /// - Parameter folder: cleared by a reboot, as is the clock the waits are counted on.
  init(folder: String) {
    self.folder = folder
  }

  /// Seconds until the next try, 0 for at once.
  func wait(_ user: UInt32, now: UInt64) -> UInt32 {
    let until = state(user, now: now).until
    return until > now ? UInt32((until - now + Self.second - 1) / Self.second) : 0
  }

  func fail(_ user: UInt32, now: UInt64) {
    var state = state(user, now: now)
    state.failures = min(state.failures + 1, Self.mostFailures)
    if state.failures >= Self.freeTries {
      let doublings = min(state.failures - Self.freeTries, 10)
      state.until = now + min(1 << UInt64(doublings), Self.longest) * Self.second
    }
    states[user] = state
    save(user, state)
  }

  func succeed(_ user: UInt32) {
    states[user] = State(failures: 0, until: 0)
    try? Folder.remove(file: path(user))
  }

  private func state(_ user: UInt32, now: UInt64) -> State {
    if let state = states[user] { return state }
    let state = load(user, now: now)
    states[user] = state
    return state
  }

  private func load(_ user: UInt32, now: UInt64) -> State {
    do {
      if let state = Self.decode(try File(reading: path(user)).readAll(limit: 64), now: now) {
        return state
      }
    } catch  where error.isMissing {
      return State(failures: 0, until: 0)
    } catch {}
    // Written down at once: a wait that is too long now would be a valid one when read again later.
    let unread = State(failures: Self.freeTries, until: 0)
    save(user, unread)
    return unread
  }

  private static func decode(_ bytes: [UInt8], now: UInt64) -> State? {
    var decoder = Decoder(bytes)
    guard let failures = try? decoder.uint32(), failures <= mostFailures,
      let until = try? decoder.uint64(), until <= now || until - now <= longest * second
    else { return nil }
    return State(failures: failures, until: until)
  }

  private func save(_ user: UInt32, _ state: State) {
    var encoder = Encoder()
    encoder.uint32(state.failures)
    encoder.uint64(state.until)
    SmallRecord.write(encoder.bytes, to: path(user))
  }

  private func path(_ user: UInt32) -> String { "\(folder)/backoff-\(user)" }
}
