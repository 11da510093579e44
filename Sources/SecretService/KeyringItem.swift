import CSecret

/// One item of the user's Secret Service, as it was when it was found.
@safe
public final class KeyringItem {
  /// Its object path on the bus; it keeps this as long as it exists.
  public let path: [UInt8]
  public let label: [UInt8]
  /// Sorted by name.
  public let attributes: [(name: [UInt8], value: [UInt8])]
  public let isLocked: Bool
  /// Seconds since 1970.
  public let created: UInt64
  /// Seconds since 1970.
  public let modified: UInt64
  let pointer: UnsafeMutablePointer<SecretItem>

  /// Takes a reference of its own.
  @unsafe
  init(_ pointer: UnsafeMutablePointer<SecretItem>) {
    // SAFETY: the caller's pointer is a live item; what the getters hand over is freed below, and
    // the path is copied before the item can go.
    unsafe self.pointer = pointer
    _ = unsafe g_object_ref(pointer)
    path = unsafe bytes(whorl_secret_path(pointer))
    let label = unsafe secret_item_get_label(pointer)
    self.label = unsafe bytes(label)
    unsafe g_free(label)
    isLocked = unsafe secret_item_get_locked(pointer) != 0
    created = unsafe UInt64(secret_item_get_created(pointer))
    modified = unsafe UInt64(secret_item_get_modified(pointer))
    let table = unsafe secret_item_get_attributes(pointer)
    attributes = unsafe Self.pairs(table)
    if let table = unsafe table { unsafe g_hash_table_unref(table) }
  }

  /// Whether label and attributes are the same. The schema does not count: gnome-keyring gives one to
  /// items that it reads back from its file.
  public func isDescribed(as other: KeyringItem) -> Bool {
    let schema = Array("xdg:schema".utf8)
    let (own, others) = (
      attributes.filter { $0.name != schema }, other.attributes.filter { $0.name != schema }
    )
    return label == other.label && own.elementsEqual(others, by: ==)
  }

  deinit {
    // SAFETY: the reference taken in init.
    unsafe g_object_unref(pointer)
  }

  @unsafe
  private static func pairs(_ table: OpaquePointer?) -> [(name: [UInt8], value: [UInt8])] {
    // SAFETY: keys and values of such a table are strings that live as long as it does; the list of
    // keys is freed, and not what it points to.
    guard let table = unsafe table else { return [] }
    var found: [(name: [UInt8], value: [UInt8])] = []
    let keys = unsafe g_hash_table_get_keys(table)
    defer { unsafe g_list_free(keys) }
    var entry = unsafe keys
    while let here = unsafe entry {
      let key = unsafe here.pointee.data
      let value = unsafe g_hash_table_lookup(table, key)
      unsafe found.append(
        (
          bytes(key?.assumingMemoryBound(to: CChar.self)),
          bytes(value?.assumingMemoryBound(to: CChar.self))
        ))
      unsafe entry = here.pointee.next
    }
    return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}

/// The bytes of a C string, none for null.
@unsafe
func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
  // SAFETY: the caller's string ends in a zero.
  guard let text = unsafe text else { return [] }
  return unsafe Array(UnsafeRawBufferPointer(start: text, count: Int(strlen(text))))
}

/// The strings of a list that ends in a null.
@unsafe
func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [[UInt8]] {
  // SAFETY: the caller's list ends so, and its strings end in zeros.
  guard var entry = unsafe list else { return [] }
  var strings: [[UInt8]] = []
  while let string = unsafe entry.pointee {
    unsafe strings.append(bytes(string))
    unsafe entry += 1
  }
  return strings
}

/// A string for C's functions, ended by a zero.
func terminated(_ bytes: [UInt8]) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}
