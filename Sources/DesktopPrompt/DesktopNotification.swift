import Linux
import Systemd

/// One notification of the desktop (org.freedesktop.Notifications), updated in place.
final class DesktopNotification {
  enum State: Equatable {
    /// Not yet known.
    case pending
    case shown
    /// The person, or whoever shows it, took it away.
    case closed
    /// No bus, nobody who shows notifications, or one that does not answer.
    case failed
  }

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// Milliseconds until it counts as failed. A dialog that waits for it is still in time for the
  /// service, which waits for a prompt to be shown for two seconds in all.
  private static let patience: Int64 = 1000
  /// Milliseconds after which an answer is not looked at any more.
  private static let limit: UInt64 = 5000
  /// Milliseconds to take it away at the end.
  private static let farewell: Int64 = 300
  /// Milliseconds for a server that obeys them; longer than a prompt is.
  private static let expiry: Int32 = 60_000
  private static let cancelAction = "cancel"

  private let bus: Bus?
  private(set) var state = State.pending
  /// The person chose the notification's “Cancel”.
  private(set) var isCancelled = false
  private var deadline: Int64?
  private var server = ""
  private var number: UInt32 = 0
  private var call: BusSlot?
  private var signals: [BusSlot] = []
  /// What is to be shown once the call before is answered.
  private var next: (summary: String, body: String)?

  /// - Parameter address: of the session's bus; nil for none.
  init(address: [UInt8]?) {
    bus = address.flatMap { try? Bus(address: String(decoding: $0, as: UTF8.self)) }
    guard let bus else {
      state = .failed
      return
    }
    bus.onDisconnect = { [unowned self] in state = .failed }
    listen(bus, "ActionInvoked") { [unowned self] detail in
      if detail.text == Self.cancelAction { isCancelled = true }
    }
    listen(bus, "NotificationClosed") { [unowned self] _ in
      if state == .shown { state = .closed }
    }
  }

  /// - Parameter take: gets what such a signal says of our notification.
  private func listen(_ bus: Bus, _ member: String, _ take: @escaping (BusValue) -> Void) {
    let slot = try? bus.subscribe(
      "type='signal',interface='\(Self.name)',path='\(Self.path)',member='\(member)'"
    ) { [unowned self] message in
      // A signal that is sent to us alone passes any match rule, so the sender is looked at here.
      guard message.sender == server, message.body.first?.unsigned == UInt64(number),
        message.body.count == 2
      else { return }
      take(message.body[1])
    }
    // Without it the person's “no” would not be heard.
    guard let slot else {
      state = .failed
      return
    }
    signals.append(slot)
  }

  var descriptor: Int32? { bus.flatMap { $0.isConnected ? $0.fileDescriptor : nil } }

  /// Milliseconds until ``process()`` is due without anything to read; nil for never.
  var delay: Int64? {
    guard let bus, bus.isConnected else { return nil }
    // What waits to be written is tried again soon.
    let writing: Int64? = bus.events & 4 != 0 ? 10 : nil
    let own = state == .pending ? deadline.map { max(0, $0 - SteadyClock.milliseconds()) } : nil
    return [writing, own, bus.delay.map { Int64(clamping: $0) }].compactMap { $0 }.min()
  }

  /// - Parameters: lines of our own and what `displayText` made, which holds no markup.
  func show(summary: String, body: String) {
    guard bus?.isConnected == true, state != .failed else { return }
    if deadline == nil { deadline = SteadyClock.milliseconds() + Self.patience }
    next = (summary, body)
    if call == nil { send() }
  }

  func process() {
    bus?.process()
    if state == .pending, let deadline, SteadyClock.milliseconds() >= deadline { state = .failed }
  }

  /// Takes it away, also where its showing is not answered yet.
  func close() {
    guard let bus, bus.isConnected, deadline != nil else { return }
    next = nil
    let end = SteadyClock.milliseconds() + Self.farewell
    wait(bus, until: end) { call == nil }
    guard number != 0 else { return }
    var isDone = false
    let closing = try? bus.call(
      Self.name, path: Self.path, interface: Self.name, member: "CloseNotification",
      [.uint32(number)], limit: Self.limit
    ) { _ in isDone = true }
    wait(bus, until: end) { isDone || closing == nil }
    withExtendedLifetime(closing) {}
  }

  private func wait(_ bus: Bus, until end: Int64, _ isDone: () -> Bool) {
    bus.process()
    while !isDone(), bus.isConnected {
      let left = end - SteadyClock.milliseconds()
      guard left > 0 else { return }
      _ = Readiness.wait([bus.fileDescriptor], milliseconds: Int32(min(left, 10)))
      bus.process()
    }
  }

  private func send() {
    guard let bus, let (summary, body) = next else { return }
    next = nil
    call = try? bus.call(
      Self.name, path: Self.path, interface: Self.name, member: "Notify",
      [
        .string("Whorl"), .uint32(number), .string("dialog-password"), .string(summary),
        .string(body), .strings([Self.cancelAction, "Cancel"]),
        // 2 is critical: it stays until it is answered. Transient: it is not kept for later.
        .properties([("urgency", .byte(2)), ("transient", .bool(true))]), .int32(Self.expiry),
      ], limit: Self.limit
    ) { [unowned self] in answered($0) }
    if call == nil { state = .failed }
  }

  private func answered(_ result: Result<BusMessage, BusError>) {
    call = nil
    guard case .success(let message) = result,
      let number = message.body.first?.unsigned.flatMap({ UInt32(exactly: $0) })
    else {
      state = .failed
      return
    }
    self.number = number
    server = message.sender
    state = .shown
    send()
  }
}
