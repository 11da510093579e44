import SQLite
import Vault

@testable import Daemon

extension FuzzTarget {
  /// Rows that somebody else wrote, damage to the file, and what the store makes of them.
  static let itemStore = FuzzTarget(name: "item-store") { bytes in
    var choices = Choices(bytes)
    let scratch = try Scratch()
    let path = scratch.path + "/items.db"
    do { _ = try SQLiteItemStore(path: path, quota: 1 << 20) }
    try insertRows(path, &choices)
    try damage(scratch, &choices)
    guard let store = try? SQLiteItemStore(path: path, quota: 1 << 20) else { return }
    var last: UInt64 = 0
    var isForward = true
    try? store.scan(after: 0) { item in
      isForward = isForward && item.row > last
      last = item.row
      return true
    }
    try require(isForward, "a scan goes forward, from 1")
    for identity in [[], [1], [2, 2]] as [[UInt8]] {
      if let item = try? store.item(identity) {
        try require(item.row > 0, "an item has a row")
        try? store.replace(row: item.row, identity: identity, sealed: [9])
      }
      try? store.insert(identity, sealed: [7])
      _ = try? store.delete(identity)
      _ = try? store.generationNote(identity)
      try? store.setGenerationNote(identity, [1])
    }
  }

  private static func insertRows(_ path: String, _ choices: inout Choices) throws {
    let connection = try Connection(path: path)
    let insert = try connection.prepare(
      "INSERT INTO item(id, identity, sealed) VALUES (?1, ?2, ?3)")
    for _ in 0..<choices.number(below: 4) {
      let row = Int64(bitPattern: choices.uint64())
      let sealed: Value =
        choices.bool() ? .integer(Int64(choices.byte())) : .blob(choices.field(limit: 16))
      try? insert.run(.integer(row), .blob(choices.field(limit: 2)), sealed)
    }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func damage(_ scratch: Scratch, _ choices: inout Choices) throws {
    guard !choices.isEmpty, var content = scratch.read("items.db") else { return }
    while !choices.isEmpty {
      let offset = Int(choices.byte()) << 8 | Int(choices.byte())
      let byte = choices.byte()
      if offset < content.count { content[offset] = byte }
    }
    try scratch.write(content, to: "items.db")
  }
}
