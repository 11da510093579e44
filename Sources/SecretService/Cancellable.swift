import CSecret

/// What ends a call of GLib's from another thread.
@safe
final class Cancellable: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<GCancellable>

  init() {
    // SAFETY: GLib aborts rather than return nothing.
    unsafe pointer = g_cancellable_new()!
  }

  deinit {
    // SAFETY: the reference is this object's own.
    unsafe g_object_unref(pointer)
  }

  /// Safe on every thread, by GLib's contract.
  func cancel() {
    // SAFETY: the object lives as long as self.
    unsafe g_cancellable_cancel(pointer)
  }
}
