import CSecret

extension Keyring {
  /// Items of every collection that have all these attributes; of none, every item.
  public func items(
    matching attributes: [(name: [UInt8], value: [UInt8])]
  ) throws(KeyringError) -> [KeyringItem] {
    try search(attributes).items
  }

  /// The same, and the paths of entries that the service lists and does not have.
  public func search(
    _ attributes: [(name: [UInt8], value: [UInt8])]
  ) throws(KeyringError) -> (items: [KeyringItem], dangling: [[UInt8]]) {
    var items: [KeyringItem] = []
    var dangling: [[UInt8]] = []
    // One by one: of the call that gets them all, a single one that is not there makes an error.
    for path in try paths(attributes) {
      do { items.append(try item(path)) } catch {
        guard error == .missing else { throw error }
        dangling.append(path)
      }
    }
    // Of a service that went away, libsecret says the same.
    if !dangling.isEmpty { _ = try paths(attributes) }
    return (items, dangling)
  }

  private func paths(
    _ attributes: [(name: [UInt8], value: [UInt8])]
  ) throws(KeyringError) -> [[UInt8]] {
    // SAFETY: the table lives until the call is over; both lists are this function's to free, and
    // end in a null.
    let table = unsafe Self.table(attributes)
    defer { unsafe g_hash_table_unref(table) }
    var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = nil
    var locked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = nil
    defer {
      unsafe g_strfreev(unlocked)
      unsafe g_strfreev(locked)
    }
    _ = unsafe try limited(limit * 12) { cancellable, error in
      unsafe secret_service_search_for_dbus_paths_sync(
        pointer, nil, table, cancellable, &unlocked, &locked, error)
    }
    let found = unsafe strings(unlocked) + strings(locked)
    guard attributes.isEmpty else { return found }
    // By no attributes at all, KeePassXC finds nothing.
    let known = Set(found)
    return found + (try collections().flatMap(\.items)).filter { !known.contains($0) }
  }

  /// The item at a path, as it is now.
  ///
  /// - Throws: `.missing` when there is none.
  func item(_ path: [UInt8]) throws(KeyringError) -> KeyringItem {
    let path = terminated(path)
    // SAFETY: the path outlives the call; the reference that it hands over is given back once an
    // object of ours holds its own.
    let found = unsafe try limited(limit) { cancellable, error in
      unsafe secret_item_new_for_dbus_path_sync(
        pointer, path, SECRET_ITEM_NONE, cancellable, error)
    }
    guard let found = unsafe found else { throw .missing }
    defer { unsafe g_object_unref(found) }
    return unsafe KeyringItem(found)
  }
}
