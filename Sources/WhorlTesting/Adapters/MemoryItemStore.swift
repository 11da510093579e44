import Vault

/// The items of one owner, in memory.
public final class MemoryItemStore: ItemStore {
  private unowned let storage: MemoryStorage
  private var rows: [StoredItem] = []
  private var notes: [[UInt8]: [UInt8]] = [:]
  private var lastRow: UInt64 = 0

  init(_ storage: MemoryStorage) {
    self.storage = storage
  }

  /// A copy that writes through another storage.
  init(_ storage: MemoryStorage, copying other: MemoryItemStore) {
    self.storage = storage
    rows = other.rows
    notes = other.notes
    lastRow = other.lastRow
  }

  /// Everything in the store, in the order of the rows.
  public var items: [StoredItem] { rows }

  public func item(_ identity: [UInt8]) throws(StorageError) -> StoredItem? {
    rows.first { $0.identity == identity }
  }

  public func insert(_ identity: [UInt8], sealed: [UInt8]) throws(StorageError) {
    try storage.count(.item)
    guard !rows.contains(where: { $0.identity == identity }) else { throw .duplicate }
    lastRow += 1
    rows.append(StoredItem(row: lastRow, identity: identity, sealed: sealed))
  }

  public func replace(row: UInt64, identity: [UInt8], sealed: [UInt8]) throws(StorageError) {
    try storage.count(.item)
    guard let index = rows.firstIndex(where: { $0.row == row }) else { throw .failed }
    guard !rows.contains(where: { $0.identity == identity && $0.row != row }) else {
      throw .duplicate
    }
    rows[index] = StoredItem(row: row, identity: identity, sealed: sealed)
  }

  public func hasRoom(for bytes: Int, replacing row: UInt64) throws(StorageError) -> Bool { true }

  public func delete(_ identity: [UInt8]) throws(StorageError) -> Bool {
    try storage.count(.item)
    guard let index = rows.firstIndex(where: { $0.identity == identity }) else { return false }
    rows.remove(at: index)
    return true
  }

  public func scan(after row: UInt64, _ visit: (StoredItem) -> Bool) throws(StorageError) {
    for item in rows where item.row > row {
      guard visit(item) else { return }
    }
  }

  public func generationNote(_ id: [UInt8]) throws(StorageError) -> [UInt8]? {
    notes[id]
  }

  public func setGenerationNote(_ id: [UInt8], _ note: [UInt8]) throws(StorageError) {
    try storage.count(.note)
    notes[id] = note
  }

  /// Puts other bytes in an item's place, as somebody who can write the disk would.
  public func overwrite(_ identity: [UInt8], sealed: [UInt8]) {
    guard let index = rows.firstIndex(where: { $0.identity == identity }) else { return }
    rows[index] = StoredItem(row: rows[index].row, identity: identity, sealed: sealed)
  }
}
