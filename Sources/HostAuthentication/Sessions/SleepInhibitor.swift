import Systemd

/// Holds sleep back until the reader is free: fprintd is stuck after a sleep that begins inside
/// a verification.
final class SleepInhibitor {
  var willSleep: ((_ done: @escaping () -> Void) -> Void)?
  private(set) var isSleeping = false

  private let loop: any EventLoop
  private let bus: HostBus
  private let limit: UInt64
  /// Closing it lets the sleep go on.
  private var lock: BusFileDescriptor?
  /// Counts what logind announced: what belongs to one sleep must not meet the next.
  private var turn = 0
  /// Milliseconds until a lock that was not to be had is asked for again.
  private static let retryDelay: UInt64 = 1000

  init(loop: any EventLoop, bus: HostBus, limit: UInt64) {
    self.loop = loop
    self.bus = bus
    self.limit = limit
  }

  func take() {
    let turn = turn
    bus.call(
      SessionDirectory.name, path: SessionDirectory.root, interface: SessionDirectory.manager,
      member: "Inhibit",
      [
        .string("sleep"), .string("Whorl"), .string("A fingerprint verification must end first"),
        .string("delay"),
      ], limit: limit
    ) { [weak self] result in
      guard let self, self.turn == turn else { return }
      if case .success(let reply) = result, let lock = reply.body.first?.fileDescriptor {
        self.lock = lock
      } else if lock == nil {
        takeLater()
      }
    }
  }

  /// logind may have been too busy to answer in time.
  private func takeLater() {
    let turn = turn
    loop.after(milliseconds: Self.retryDelay) { [weak self] in
      guard let self, self.turn == turn, lock == nil else { return }
      take()
    }
  }

  func forget() {
    turn += 1
    lock = nil
    isSleeping = false
  }

  func prepare(_ message: BusMessage) {
    guard let begins = message.body.first?.bool else { return }
    turn += 1
    isSleeping = begins
    guard begins else { return take() }
    guard let willSleep else {
      lock = nil
      return
    }
    let turn = turn
    willSleep { [weak self] in
      // A sleep that was called off meanwhile has left the lock to the next.
      if let self, self.turn == turn { lock = nil }
    }
  }
}
