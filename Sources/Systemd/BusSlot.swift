import CSystemd

/// A pending call or a match rule: dropping it (or ``cancel()``) ends it, and its closure is never
/// called again.
@safe
public final class BusSlot {
  private var slot: OpaquePointer?

  init(_ slot: OpaquePointer?) {
    // SAFETY: the caller gives up its reference, which `cancel` gives back.
    unsafe self.slot = unsafe slot
  }

  deinit { cancel() }

  public func cancel() {
    guard let taken = unsafe slot else { return }
    unsafe slot = nil
    // SAFETY: this object owns the one reference; the destroy callback releases the closure.
    unsafe _ = sd_bus_slot_unref(taken)
  }
}

/// What sd-bus holds for us as `userdata`: retained when handed over, released by the slot's
/// destroy callback.
@safe
final class BusHandler {
  let receive: (OpaquePointer) -> Void

  init(_ receive: @escaping (OpaquePointer) -> Void) {
    // SAFETY: the closure is called with living messages only, by `callback`.
    unsafe self.receive = unsafe receive
  }

  static let callback: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message = unsafe message, let userdata = unsafe userdata else { return 0 }
    // SAFETY: `userdata` is the box retained in `adopt`, alive until the destroy callback.
    let handler = unsafe Unmanaged<BusHandler>.fromOpaque(userdata).takeUnretainedValue()
    unsafe handler.receive(message)
    return 0
  }

  /// Ties the retained box to the slot. Called once for each slot.
  static func adopt(_ slot: OpaquePointer?) {
    // SAFETY: the slot's userdata is the box passed with `passRetained`; sd-bus calls the destroy
    // callback exactly once.
    unsafe _ = sd_bus_slot_set_destroy_callback(slot) { userdata in
      guard let userdata = unsafe userdata else { return }
      unsafe Unmanaged<BusHandler>.fromOpaque(userdata).release()
    }
  }
}
