import SQLite
import Vault

/// The items of one owner in a SQLite database of their own: write-ahead log, synchronous=FULL, so
/// that what was acknowledged is on the device.
public final class SQLiteItemStore: ItemStore {
  /// `PRAGMA user_version`: 1 had no notes, 2 added them, 3 has rows whose sealed form is outside.
  static let format: Int64 = 3

  /// Bytes that an item counts as at the least: all of them are looked at whenever their owner lists
  /// some, and all clients wait meanwhile.
  private static let leastSize = 1024

  /// Milliseconds that another program may hold the database: all clients wait meanwhile.
  private static let patience: Int32 = 100

  private let connection: Connection
  private let selectItem: Statement
  private let insertItem: Statement
  private let replaceItem: Statement
  private let deleteItem: Statement
  private let scanItems: Statement
  private let selectNote: Statement
  private let replaceNote: Statement
  private let sizeOfItem: Statement
  private let quota: Int64
  private var used: Int64
  /// Whether the write-ahead log may hold what its writer was told has failed.
  private var logIsStale = false
  /// Nobody else writes to the database while the daemon has it open.
  private var recent = RecentRows()

  /// - Parameter quota: bytes of identities and sealed items together, 1024 for each at the least.
  /// - Throws: `.laterFormat` for a database of a later version, which is left as it is.
  public init(path: String, quota: Int64) throws(StorageError) {
    self.quota = quota
    do throws(SQLiteError) {
      connection = try Connection(path: path, patience: Self.patience)
      let version = try Self.version(connection)
      guard version <= Self.format else { throw SQLiteError.laterFormat }
      // The kernel has the pages too: a cache of 2 MiB for each user would double the daemon.
      try connection.execute(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-256")
      try Self.upgrade(connection, from: version)
      selectItem = try connection.prepare("SELECT id, sealed FROM item WHERE identity = ?1")
      insertItem = try connection.prepare("INSERT INTO item(identity, sealed) VALUES (?1, ?2)")
      replaceItem = try connection.prepare(
        "UPDATE item SET identity = ?2, sealed = ?3 WHERE id = ?1")
      deleteItem = try connection.prepare("DELETE FROM item WHERE identity = ?1")
      scanItems = try connection.prepare(
        "SELECT id, identity, sealed FROM item WHERE id > ?1 ORDER BY id")
      selectNote = try connection.prepare("SELECT note FROM generation WHERE id = ?1")
      replaceNote = try connection.prepare(
        "INSERT OR REPLACE INTO generation(id, note) VALUES (?1, ?2)")
      let size = "max(\(Self.leastSize), length(identity) + length(sealed))"
      sizeOfItem = try connection.prepare("SELECT \(size) FROM item WHERE id = ?1")
      let sizes = try connection.prepare("SELECT coalesce(sum(\(size)), 0) FROM item")
      var sum: Int64 = 0
      try sizes.rows([]) { row in
        sum = row.integer(0)
        return false
      }
      used = sum
    } catch { throw StorageError(error) }
  }

  private static func version(_ connection: Connection) throws(SQLiteError) -> Int64 {
    var version: Int64 = 0
    let query = try connection.prepare("PRAGMA user_version")
    try query.rows([]) { row in
      version = row.integer(0)
      return false
    }
    return version
  }

  /// Brings an older database to ``format`` in one transaction, so that an interruption leaves it
  /// as it was.
  private static func upgrade(
    _ connection: Connection, from version: Int64
  ) throws(SQLiteError) {
    guard version != format else { return }
    try connection.transaction { () throws(SQLiteError) in
      if version < 1 {
        try connection.execute(
          """
          CREATE TABLE item(
            id INTEGER PRIMARY KEY AUTOINCREMENT, identity BLOB NOT NULL UNIQUE,
            sealed BLOB NOT NULL)
          """)
      }
      if version < 2 {
        try connection.execute(
          "CREATE TABLE generation(id BLOB PRIMARY KEY, note BLOB NOT NULL) WITHOUT ROWID")
      }
      try connection.execute("PRAGMA user_version = \(format)")
    }
  }

  public func item(_ identity: [UInt8]) throws(StorageError) -> StoredItem? {
    if let kept = recent[identity] { return kept }
    var found: StoredItem?
    do throws(SQLiteError) {
      try selectItem.rows([.blob(identity)]) { row in
        found = StoredItem(
          row: UInt64(clamping: row.integer(0)), identity: identity, sealed: row.blob(1))
        return false
      }
    } catch { throw StorageError(error) }
    // This store numbers its rows from 1.
    guard found?.row != 0 else { throw .corrupted }
    if let found { recent.keep(found) }
    return found
  }

  public func insert(_ identity: [UInt8], sealed: [UInt8]) throws(StorageError) {
    let size = Self.size(identity.count + sealed.count)
    guard used + size <= quota else { throw .quota }
    try write { () throws(SQLiteError) in try insertItem.run(.blob(identity), .blob(sealed)) }
    used += size
  }

  public func replace(row: UInt64, identity: [UInt8], sealed: [UInt8]) throws(StorageError) {
    let old = try size(of: row)
    let bytes = identity.count + sealed.count
    guard try hasRoom(for: bytes, replacing: row) else { throw .quota }
    try write { () throws(SQLiteError) in
      try replaceItem.run(.integer(Int64(clamping: row)), .blob(identity), .blob(sealed))
    }
    guard connection.changedRows == 1 else { throw .failed }
    used += Self.size(bytes) - old
  }

  public func hasRoom(for bytes: Int, replacing row: UInt64) throws(StorageError) -> Bool {
    let old = try size(of: row)
    let size = Self.size(bytes)
    return used - old + size <= quota || size <= old
  }

  public func delete(_ identity: [UInt8]) throws(StorageError) -> Bool {
    guard let old = try item(identity) else { return false }
    try write { () throws(SQLiteError) in try deleteItem.run(.blob(identity)) }
    used -= Self.size(identity.count + old.sealed.count)
    return true
  }

  public func scan(after row: UInt64, _ visit: (StoredItem) -> Bool) throws(StorageError) {
    var last = row
    // SQLite trusts the order it finds, so in a damaged file rows may come twice or never.
    var isForward = true
    do throws(SQLiteError) {
      try scanItems.rows([.integer(Int64(clamping: row))]) { row in
        let item = StoredItem(
          row: UInt64(clamping: row.integer(0)), identity: row.blob(1), sealed: row.blob(2))
        isForward = item.row > last
        last = item.row
        return isForward && visit(item)
      }
    } catch { throw StorageError(error) }
    guard isForward else { throw .corrupted }
  }

  /// What an item of so many bytes counts as.
  private static func size(_ bytes: Int) -> Int64 { Int64(max(leastSize, bytes)) }

  private func size(of row: UInt64) throws(StorageError) -> Int64 {
    var size: Int64 = 0
    do throws(SQLiteError) {
      try sizeOfItem.rows([.integer(Int64(clamping: row))]) { row in
        size = row.integer(0)
        return false
      }
    } catch { throw StorageError(error) }
    return size
  }

  public func generationNote(_ id: [UInt8]) throws(StorageError) -> [UInt8]? {
    var note: [UInt8]?
    do throws(SQLiteError) {
      try selectNote.rows([.blob(id)]) { row in
        note = row.blob(0)
        return false
      }
    } catch { throw StorageError(error) }
    return note
  }

  public func setGenerationNote(_ id: [UInt8], _ note: [UInt8]) throws(StorageError) {
    try write { () throws(SQLiteError) in try replaceNote.run(.blob(id), .blob(note)) }
  }

  /// Runs one statement that writes.
  ///
  /// One that could not be synced has left a whole commit in the write-ahead log, which a crash
  /// would find and take for done. So the log is emptied before anything else is written, at once
  /// if it can be.
  private func write(_ body: () throws(SQLiteError) -> Void) throws(StorageError) {
    recent.forget()
    do throws(SQLiteError) {
      if logIsStale { try emptyLog() }
      try body()
    } catch {
      logIsStale = logIsStale || error.isOfDevice
      if logIsStale { try? emptyLog() }
      throw StorageError(error)
    }
  }

  private func emptyLog() throws(SQLiteError) {
    // Who reads meanwhile keeps it from being emptied, which is no error of the call.
    var isBusy = true
    try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]) { row in
      isBusy = row.integer(0) != 0
      return false
    }
    guard !isBusy else { throw SQLiteError.busy }
    logIsStale = false
  }
}
