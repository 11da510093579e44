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

  init(loop: any EventLoop, bus: HostBus, limit: UInt64) {
    self.loop = loop
    self.bus = bus
    self.limit = limit
  }

  func take() {
    bus.call(
      SessionDirectory.name, path: SessionDirectory.root, interface: SessionDirectory.manager,
      member: "Inhibit",
      [
        .string("sleep"), .string("Whorl"), .string("A fingerprint verification must end first"),
        .string("delay"),
      ], limit: limit
    ) { [weak self] result in
      guard let self, !isSleeping, case .success(let reply) = result else { return }
      lock = reply.body.first?.fileDescriptor
    }
  }

  func forget() {
    lock = nil
    isSleeping = false
  }

  func prepare(_ message: BusMessage) {
    guard let begins = message.body.first?.bool else { return }
    isSleeping = begins
    guard begins else { return take() }
    guard let willSleep else {
      lock = nil
      return
    }
    willSleep { [weak self] in self?.lock = nil }
  }
}
