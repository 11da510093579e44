import CSystemd
import Glibc

/// One D-Bus connection for one epoll loop. It never blocks and belongs to the loop's thread.
///
/// The loop waits for ``events`` on ``fileDescriptor`` or until ``deadline``, then calls
/// ``process()``; closures of calls and matches run inside it. ``afterActivity`` tells the loop
/// that events and deadline may have changed.
@safe
public final class Bus {
  private let bus: OpaquePointer
  public private(set) var isConnected = true
  public var afterActivity: (() -> Void)?
  /// Called once, inside ``process()``, when the connection is lost.
  public var onDisconnect: (() -> Void)?

  /// Starts to connect; the handshake goes on in ``process()``.
  /// - Parameter address: a D-Bus server address such as `unix:path=/run/dbus/system_bus_socket`.
  public init(address: String) throws(BusError) {
    var created: OpaquePointer?
    // SAFETY: the out-parameter is valid; on success this object owns the reference.
    let result = unsafe sd_bus_new(&created)
    guard result >= 0, let created = unsafe created else { throw .system(errno: -result) }
    unsafe bus = unsafe created
    for result in unsafe [
      sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1), sd_bus_start(bus),
    ] where result < 0 {
      // All properties are set here, so `deinit` runs and gives the reference back.
      throw .system(errno: -result)
    }
  }

  deinit {
    // SAFETY: the only reference; closing first makes pending slots inert.
    unsafe sd_bus_close(bus)
    unsafe _ = sd_bus_unref(bus)
  }

  public var fileDescriptor: Int32 {
    // SAFETY: the bus lives as long as self.
    unsafe sd_bus_get_fd(bus)
  }

  /// `POLLIN`/`POLLOUT` bits wanted now.
  public var events: Int16 {
    // SAFETY: the bus lives as long as self.
    Int16(truncatingIfNeeded: max(0, unsafe sd_bus_get_events(bus)))
  }

  /// When ``process()`` is due without any event: microseconds of `CLOCK_MONOTONIC`, 0 for at once.
  public var deadline: UInt64? {
    var microseconds: UInt64 = 0
    // SAFETY: the out-parameter is valid.
    let result = unsafe sd_bus_get_timeout(bus, &microseconds)
    return result < 0 || microseconds == .max ? nil : microseconds
  }

  /// Milliseconds from now until ``deadline``, rounded up.
  public var delay: UInt64? {
    guard let deadline else { return nil }
    let now = Self.now()
    return deadline <= now ? 0 : (deadline - now + 999) / 1000
  }

  /// Handles all that is ready.
  public func process() {
    guard isConnected else { return }
    while true {
      // SAFETY: the bus is alive; a null out-parameter means "dispatch and drop".
      let result = unsafe sd_bus_process(bus, nil)
      if result < 0 {
        disconnected()
        return
      }
      if result == 0 { break }
    }
    if unsafe sd_bus_is_open(bus) <= 0 {
      disconnected()
    } else {
      afterActivity?()
    }
  }

  /// Calls a method; the completion runs once, inside ``process()``, unless the slot is dropped.
  /// - Parameter limit: milliseconds until the completion gets ``BusError/timedOut``.
  public func call(
    _ destination: String, path: String, interface: String, member: String,
    _ arguments: [BusValue] = [], limit: UInt64,
    completion: @escaping (Result<BusMessage, BusError>) -> Void
  ) throws(BusError) -> BusSlot {
    guard isConnected else { throw .disconnected }
    var created: OpaquePointer?
    // SAFETY: the out-parameter is valid; the strings live for the length of the call.
    var result = unsafe sd_bus_message_new_method_call(
      bus, &created, destination, path, interface, member)
    guard result >= 0, let message = unsafe created else { throw .system(errno: -result) }
    // SAFETY: our reference to the message; sd-bus takes its own in `sd_bus_call_async`.
    defer { unsafe _ = sd_bus_message_unref(message) }
    unsafe try BusWriter.append(arguments, to: message)
    let deadline = Self.now() + limit * 1000
    let handler = unsafe BusHandler { reply in
      unsafe completion(Self.result(of: reply, deadline: deadline))
    }
    let userdata = unsafe Unmanaged.passRetained(handler)
    var slot: OpaquePointer?
    result = unsafe sd_bus_call_async(
      bus, &slot, message, BusHandler.callback, userdata.toOpaque(), limit * 1000)
    guard result >= 0 else {
      unsafe userdata.release()
      throw .system(errno: -result)
    }
    unsafe BusHandler.adopt(slot)
    afterActivity?()
    return unsafe BusSlot(slot)
  }

  /// Delivers every message that meets the match rule until the slot is dropped.
  public func subscribe(
    _ rule: String, _ handler: @escaping (BusMessage) -> Void
  ) throws(BusError) -> BusSlot {
    guard isConnected else { throw .disconnected }
    let box = unsafe BusHandler { message in
      // A message that cannot be read tells nothing; the state it would change stays as it is.
      if let message = unsafe try? BusMessage(message) { handler(message) }
    }
    let userdata = unsafe Unmanaged.passRetained(box)
    var slot: OpaquePointer?
    // SAFETY: out-parameter and strings are valid; the box stays retained until the slot goes.
    let result = unsafe sd_bus_add_match_async(
      bus, &slot, rule, BusHandler.callback, nil, userdata.toOpaque())
    guard result >= 0 else {
      unsafe userdata.release()
      throw .system(errno: -result)
    }
    unsafe BusHandler.adopt(slot)
    afterActivity?()
    return unsafe BusSlot(slot)
  }

  private func disconnected() {
    isConnected = false
    let report = onDisconnect
    onDisconnect = nil
    report?()
  }

  private static func result(
    of reply: OpaquePointer, deadline: UInt64
  ) -> Result<BusMessage, BusError> {
    // SAFETY: the reply is alive for the length of the handler; texts are copied.
    if unsafe sd_bus_message_is_method_error(reply, nil) > 0 {
      guard let error = unsafe sd_bus_message_get_error(reply) else { return .failure(.malformed) }
      let name = unsafe BusMessage.copy(error.pointee.name)
      let isLocal = name == "org.freedesktop.DBus.Error.NoReply"
      // The same name also says that the callee died, so the clock decides.
      if isLocal, now() >= deadline { return .failure(.timedOut) }
      return .failure(
        .remote(name: name, text: unsafe String(BusMessage.copy(error.pointee.message).prefix(256)))
      )
    }
    do throws(BusError) {
      return .success(unsafe try BusMessage(reply))
    } catch {
      return .failure(error)
    }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    // SAFETY: the out-parameter is valid.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
