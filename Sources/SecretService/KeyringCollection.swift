import CSecret

/// One collection of the user's Secret Service.
@safe
public final class KeyringCollection {
  let pointer: UnsafeMutablePointer<SecretCollection>

  /// Takes a reference of its own.
  @unsafe
  init(_ pointer: UnsafeMutablePointer<SecretCollection>) {
    // SAFETY: the caller's pointer is a live collection.
    unsafe self.pointer = pointer
    _ = unsafe g_object_ref(pointer)
  }

  deinit {
    // SAFETY: the reference taken in init.
    unsafe g_object_unref(pointer)
  }

  /// As it was when it was found.
  public var isLocked: Bool {
    // SAFETY: the collection lives as long as self.
    unsafe secret_collection_get_locked(pointer) != 0
  }

  /// The paths of its items, as it was when it was found.
  var items: [[UInt8]] {
    // SAFETY: the collection lives as long as self; the list is this function's to free.
    let list = unsafe whorl_secret_paths(pointer, "Items")
    defer { unsafe g_strfreev(list) }
    return unsafe strings(list)
  }

  var label: [UInt8] {
    // SAFETY: the getter hands over a string.
    let label = unsafe secret_collection_get_label(pointer)
    defer { unsafe g_free(label) }
    return unsafe bytes(label)
  }
}

extension Keyring {
  /// The collection of this label, or the default one for none.
  ///
  /// - Throws: `.missing` when there is no such collection.
  public func collection(_ label: [UInt8] = []) throws(KeyringError) -> KeyringCollection {
    guard label.isEmpty else { return try named(label) }
    // SAFETY: the call hands over a reference, which is given back once an object of ours has one.
    let found = unsafe try limited(limit) { cancellable, error in
      unsafe secret_collection_for_alias_sync(
        pointer, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, error)
    }
    guard let found = unsafe found else { throw .missing }
    defer { unsafe g_object_unref(found) }
    return unsafe KeyringCollection(found)
  }

  private func named(_ label: [UInt8]) throws(KeyringError) -> KeyringCollection {
    guard let found = try collections().first(where: { $0.label == label }) else { throw .missing }
    return found
  }

  /// All collections of the service.
  public func collections() throws(KeyringError) -> [KeyringCollection] {
    // SAFETY: the list is this function's to free.
    let list = unsafe whorl_secret_paths(pointer, "Collections")
    defer { unsafe g_strfreev(list) }
    var found: [KeyringCollection] = []
    // One by one, and without their items: of those that are not there, libsecret makes an error.
    for path in unsafe strings(list) {
      do { found.append(try collection(path: path)) } catch {
        guard error == .missing else { throw error }
      }
    }
    return found
  }

  private func collection(path: [UInt8]) throws(KeyringError) -> KeyringCollection {
    let path = terminated(path)
    // SAFETY: the path outlives the call; the reference that it hands over is given back once an
    // object of ours has one.
    let found = unsafe try limited(limit) { cancellable, error in
      unsafe secret_collection_new_for_dbus_path_sync(
        pointer, path, SECRET_COLLECTION_NONE, cancellable, error)
    }
    guard let found = unsafe found else { throw .missing }
    defer { unsafe g_object_unref(found) }
    return unsafe KeyringCollection(found)
  }

  /// Unlocks a collection; the service asks for its password where it can.
  ///
  /// - Parameter limit: milliseconds for the person.
  /// - Throws: `.locked` when nobody was asked, or did not unlock it.
  public func unlock(
    _ collection: KeyringCollection, limit: Int64 = 120_000
  ) throws(KeyringError) {
    // SAFETY: the collection outlives the call.
    try unsafe unlock([UnsafeMutableRawPointer(collection.pointer)], limit)
    extendLifetime(collection)
  }
}
