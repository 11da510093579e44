/// Keeps the sealed items of one owner. A store never sees a key or a secret.
///
/// Every write is durable when the call returns. Called on the engine's thread only.
public protocol ItemStore: AnyObject {
  func item(_ identity: [UInt8]) throws(StorageError) -> StoredItem?

  /// - Throws: `.duplicate` when the identity is taken.
  func insert(_ identity: [UInt8], sealed: [UInt8]) throws(StorageError)

  /// Replaces the row, giving it another identity if asked.
  ///
  /// - Throws: `.duplicate` when the new identity belongs to another row.
  func replace(row: UInt64, identity: [UInt8], sealed: [UInt8]) throws(StorageError)

  /// Whether ``replace(row:identity:sealed:)`` by so many bytes, identity included, keeps within
  /// what the owner may store.
  func hasRoom(for bytes: Int, replacing row: UInt64) throws(StorageError) -> Bool

  /// - Returns: whether there was such an item.
  func delete(_ identity: [UInt8]) throws(StorageError) -> Bool

  /// Visits items in the order of their rows, those after `row` only, until `visit` returns false.
  func scan(after row: UInt64, _ visit: (StoredItem) -> Bool) throws(StorageError)

  /// What is written down about a generation, so that its end can be explained. No key is in it. The
  /// engine has notes of its own under names that are no generation's.
  func generationNote(_ id: [UInt8]) throws(StorageError) -> [UInt8]?
  func setGenerationNote(_ id: [UInt8], _ note: [UInt8]) throws(StorageError)
}

/// One row of a store.
public struct StoredItem: Sendable {
  /// Grows with each insertion; never 0.
  public let row: UInt64
  public let identity: [UInt8]
  public let sealed: [UInt8]

  public init(row: UInt64, identity: [UInt8], sealed: [UInt8]) {
    self.row = row
    self.identity = identity
    self.sealed = sealed
  }
}
