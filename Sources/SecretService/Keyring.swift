import CSecret
import Linux
import SecretMemory

/// The Secret Service of this process's user, on the session bus: GNOME Keyring, KWallet, KeePassXC.
///
/// Every call waits, and ends with `.timedOut` at its limit. For one thread at a time.
@safe
public final class Keyring {
  /// Milliseconds that a call may take which asks nobody.
  public let limit: Int64
  let pointer: UnsafeMutablePointer<CSecret.SecretService>

  /// Reaches the service and agrees with it on a key, so that no secret is plain on the bus.
  public init(limit: Int64 = 10_000) throws(KeyringError) {
    guard Self.hasBus else { throw .noBus }
    self.limit = limit
    // SAFETY: both calls hand over references; that of the bus is GLib's shared one, which stays.
    let bus: OpaquePointer?
    do throws(KeyringError) {
      unsafe bus = try limited(limit) { cancellable, error in
        unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error)
      }
    } catch { throw error == .timedOut ? error : .noBus }
    guard let bus = unsafe bus else { throw .noBus }
    // Else GLib ends the process where the bus ends.
    unsafe g_dbus_connection_set_exit_on_close(bus, 0)
    unsafe g_object_unref(UnsafeMutableRawPointer(bus))
    let service = unsafe try limited(limit) { cancellable, error in
      unsafe secret_service_open_sync(
        secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, cancellable, error)
    }
    guard let service = unsafe service else { throw .noService }
    unsafe pointer = service
  }

  deinit {
    // SAFETY: the reference got in init.
    unsafe g_object_unref(pointer)
  }

  /// Without this, GLib would start a bus of its own where there is a display.
  private static var hasBus: Bool {
    if let address = OwnProcess.environment("DBUS_SESSION_BUS_ADDRESS") { return !address.isEmpty }
    guard let folder = OwnProcess.environment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
      return false
    }
    return (try? RegularFile.kind(folder + Array("/bus".utf8))) != nil
  }

  /// Unlocks the collections of these items; the service asks for their password where it can.
  ///
  /// - Parameter limit: milliseconds for the person.
  /// - Throws: `.locked` when nobody was asked, or did not unlock all of them.
  public func unlock(_ items: [KeyringItem], limit: Int64 = 120_000) throws(KeyringError) {
    // SAFETY: the items outlive the call.
    try unsafe unlock(items.map { unsafe UnsafeMutableRawPointer($0.pointer) }, limit)
    extendLifetime(items)
  }

  /// Unlocks items or collections, which must outlive the call.
  @unsafe
  func unlock(_ objects: [UnsafeMutableRawPointer], _ limit: Int64) throws(KeyringError) {
    // SAFETY: the list points to objects of the caller's; what it hands over is freed.
    var list: UnsafeMutablePointer<GList>? = nil
    for index in unsafe objects.indices { unsafe list = g_list_prepend(list, objects[index]) }
    defer { unsafe g_list_free(list) }
    var unlocked: UnsafeMutablePointer<GList>? = nil
    let count = unsafe try limited(limit) { cancellable, error in
      unsafe secret_service_unlock_sync(pointer, list, cancellable, &unlocked, error)
    }
    unsafe g_list_free_full(unlocked) { unsafe g_object_unref($0) }
    guard count >= Int32(unsafe objects.count) else { throw .locked }
  }

  static func table(_ attributes: [(name: [UInt8], value: [UInt8])]) -> OpaquePointer {
    // SAFETY: the table frees the copies it is given.
    let table = unsafe whorl_secret_attributes()!
    for pair in attributes {
      let (name, value) = (terminated(pair.name), terminated(pair.value))
      _ = unsafe g_hash_table_insert(table, g_strdup(name), g_strdup(value))
    }
    return unsafe table
  }
}

/// A call that takes what ends it, and where its error goes.
typealias Fallible<Result> = (
  UnsafeMutablePointer<GCancellable>, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
) -> Result

/// Runs a call that may fail and must end.
@unsafe
func limited<Result>(
  _ milliseconds: Int64,
  _ body: Fallible<Result>
) throws(KeyringError) -> Result {
  guard let watch = CallLimit.shared else { throw .exhausted }
  let cancellable = Cancellable()
  let number = watch.begin(cancellable, milliseconds: milliseconds)
  var error: UnsafeMutablePointer<GError>? = nil
  // SAFETY: both pointers are valid until the call is over; the error is this function's to free.
  let result = unsafe body(cancellable.pointer, &error)
  watch.end(number)
  extendLifetime(cancellable)
  guard let error = unsafe error else { return result }
  defer { unsafe g_error_free(error) }
  switch unsafe whorl_secret_failure(error) {
  case WHORL_SECRET_NO_SERVICE: throw .noService
  case WHORL_SECRET_LOCKED: throw .locked
  case WHORL_SECRET_GONE: throw .gone
  case WHORL_SECRET_MISSING: throw .missing
  case WHORL_SECRET_CANCELLED: throw .timedOut
  default: throw unsafe .failed(bytes(error.pointee.message))
  }
}
