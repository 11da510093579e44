import CSecret
import SecretMemory

extension Keyring {
  /// The secret of an item, straight into locked memory, and the kind of content it says it is.
  ///
  /// - Throws: `.locked` for a locked item: nobody is asked.
  public func secret(
    of item: KeyringItem
  ) throws(KeyringError) -> (bytes: SecretBytes, contentType: [UInt8]) {
    // SAFETY: the value is this function's own; libsecret keeps it in locked memory and wipes it
    // when the last reference goes. The bytes are copied before.
    _ = unsafe try limited(limit) { cancellable, error in
      unsafe secret_item_load_secret_sync(item.pointer, cancellable, error)
    }
    guard let value = unsafe secret_item_get_secret(item.pointer) else { throw .locked }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let start = unsafe secret_value_get(value, &count)
    let type = unsafe bytes(secret_value_get_content_type(value))
    let buffer = unsafe UnsafeBufferPointer(start: start, count: Int(count))
    let copied: SecretBytes? = unsafe buffer.withMemoryRebound(to: UInt8.self) { buffer in
      unsafe try? SecretBytes(copying: Span(_unsafeElements: buffer))
    }
    guard let copied else { throw .exhausted }
    return (copied, type)
  }

  /// The item as it is now.
  ///
  /// - Throws: `.missing` when it was deleted.
  public func current(_ item: KeyringItem) throws(KeyringError) -> KeyringItem {
    try self.item(item.path)
  }

  /// Stores an item.
  ///
  /// - Parameter replacing: whether it takes the place of an item of equal attributes.
  public func store(
    label: [UInt8], attributes: [(name: [UInt8], value: [UInt8])], secret: SecretBytes,
    replacing: Bool, in collection: KeyringCollection
  ) throws(KeyringError) {
    // SAFETY: table, value and texts outlive the calls; libsecret copies the secret into locked
    // memory of its own. References that are handed over are given back.
    let table = unsafe Self.table(attributes)
    defer { unsafe g_hash_table_unref(table) }
    let value = unsafe secret.withUnsafeBytes { buffer in
      unsafe secret_value_new(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        "application/octet-stream")
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    let flags = replacing ? SECRET_ITEM_CREATE_REPLACE : SECRET_ITEM_CREATE_NONE
    let text = terminated(label)
    let item = unsafe try limited(limit) { cancellable, error in
      unsafe secret_item_create_sync(
        collection.pointer, nil, table, text, value, flags, cancellable, error)
    }
    extendLifetime(collection)
    if let item = unsafe item { unsafe g_object_unref(UnsafeMutableRawPointer(item)) }
  }

  public func delete(_ item: KeyringItem) throws(KeyringError) {
    // SAFETY: the item lives as long as the object that holds it.
    _ = unsafe try limited(limit) { cancellable, error in
      unsafe secret_item_delete_sync(item.pointer, cancellable, error)
    }
    extendLifetime(item)
  }
}
