/// Where the engine keeps what it must not lose: one item store, one sealed user key and one
/// generation file for each owner.
public protocol VaultStorage: AnyObject {
  /// The owner's items. The store is opened or made at the first call.
  func items(of owner: Owner) throws(StorageError) -> any ItemStore

  /// The sealed user key, or nil before the first item.
  func userKey(of owner: Owner) throws(StorageError) -> [UInt8]?
  func setUserKey(of owner: Owner, _ sealed: [UInt8]) throws(StorageError)

  /// Everyone who has a generation file.
  func generationOwners() throws(StorageError) -> [Owner]

  /// The two slots of the owner's generation file; empty when there is no file.
  func generationSlots(of owner: Owner) throws(StorageError) -> [[UInt8]]

  /// Overwrites one slot in place, without allocating: space for both slots was taken when the
  /// file was made. Durable on return.
  func setGenerationSlot(of owner: Owner, _ index: Int, _ sealed: [UInt8]) throws(StorageError)

  /// Takes the slot away, and may take both: what it holds now is not given again, also after a
  /// restart. The last resort where a slot cannot be overwritten, so it must need no space.
  func dropGeneration(of owner: Owner, slot index: Int) throws(StorageError)

  /// Deletes everything of the owner, the key first: what an interruption leaves cannot be opened.
  func purge(_ owner: Owner) throws(StorageError)
}
