/// What a watched descriptor is ready for.
public struct LoopReadiness: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let input = LoopReadiness(rawValue: 1)
  public static let output = LoopReadiness(rawValue: 2)
  /// The peer is gone or the descriptor failed; reported whether asked for or not.
  public static let hangUp = LoopReadiness(rawValue: 4)
}

/// A watch of an ``EventLoop``. Never used again once unwatched.
public struct WatchToken: Hashable, Sendable {
  let id: UInt64
}

/// A timer of an ``EventLoop``.
public struct TimerToken: Hashable, Sendable {
  let deadline: UInt64
  let id: UInt64
}

/// The one thread of the daemon: every closure of the adapters runs on it, and none may wait.
public protocol EventLoop: AnyObject {
  /// Calls `handler` whenever the descriptor is ready (level-triggered), until unwatched.
  /// A descriptor that cannot be watched is reported as ``LoopReadiness/hangUp`` soon after.
  func watch(
    _ descriptor: Int32, for readiness: LoopReadiness,
    _ handler: @escaping (LoopReadiness) -> Void
  ) -> WatchToken

  /// After this the handler is not called again, even for an event already fetched.
  func unwatch(_ token: WatchToken)

  /// Runs `body` once, not before `milliseconds` of CLOCK_BOOTTIME have passed, and never inside
  /// this call.
  @discardableResult
  func after(milliseconds: UInt64, _ body: @escaping () -> Void) -> TimerToken

  func cancel(_ timer: TimerToken)

  /// How many turns have begun: in each, descriptors are served first and timers after them.
  var turns: UInt64 { get }
}
