import Foundation
import SQLite
import TemporaryFolder
import Testing

struct ConnectionTests {
  private let folder: TemporaryFolder
  private let path: String
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/test.db"
    connection = try Connection(path: path)
    try connection.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
      CREATE TABLE item (key BLOB PRIMARY KEY, number INTEGER)
      """)
  }

  private func insert(_ key: [UInt8], _ number: Int64) throws(SQLiteError) {
    try connection.prepare("INSERT INTO item VALUES (?, ?)").run(.blob(key), .integer(number))
  }

  private func numbers(in other: Connection? = nil) throws -> [Int64] {
    var numbers: [Int64] = []
    try (other ?? connection).prepare("SELECT number FROM item ORDER BY number").rows([]) { row in
      numbers.append(row.integer(0))
      return true
    }
    return numbers
  }

  @Test(arguments: zip([0, 1, 300, 1_000_000], [0, Int64.max, Int64.min, -1]))
  func `values come back as they were bound`(_ count: Int, _ number: Int64) throws {
    let key = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try insert(key, number)
    var found: [([UInt8], Int64)] = []
    try connection.prepare("SELECT key, number FROM item WHERE key = ?").rows([.blob(key)]) {
      found.append(($0.blob(0), $0.integer(1)))
      return true
    }
    #expect(found.count == 1)
    #expect(found.first?.0 == key)
    #expect(found.first?.1 == number)
  }

  @Test func `no bytes are a value, not NULL`() throws {
    try insert([], 1)
    var types: [Int64] = []
    try connection.prepare("SELECT key IS NULL FROM item").rows([]) { row in
      types.append(row.integer(0))
      return true
    }
    #expect(types == [0])
  }

  @Test func `NULL reads as zero and as no bytes`() throws {
    var isRead = false
    try connection.prepare("SELECT NULL, NULL").rows([]) { row in
      isRead = row.integer(0) == 0 && row.blob(1).isEmpty
      return true
    }
    #expect(isRead)
  }

  @Test func `a statement is used again, without the values of the run before`() throws {
    let statement = try connection.prepare("INSERT INTO item VALUES (?, ?)")
    try statement.run(.blob([1]), .integer(7))
    try statement.run(.blob([2]))
    #expect(try numbers() == [0, 7])
  }

  @Test func `a statement left after its first row does not keep the database locked`() throws {
    try insert([1], 1)
    try insert([2], 2)
    var count = 0
    try connection.prepare("SELECT * FROM item").rows([]) { _ in
      count += 1
      return false
    }
    #expect(count == 1)
    try connection.execute("DROP TABLE item")
  }

  @Test func `a second row with the same key is refused`() throws {
    try insert([1], 1)
    let error = #expect(throws: SQLiteError.self) { try insert([1], 2) }
    #expect(error?.isConstraint == true)
    #expect(try numbers() == [1])
  }

  @Test func `an error undoes the whole transaction`() throws {
    try insert([1], 1)
    #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try insert([2], 2)
        try insert([1], 3)
      }
    }
    #expect(try numbers() == [1])
    // And the next one starts afresh.
    try connection.transaction { () throws(SQLiteError) in try insert([2], 2) }
    #expect(try numbers() == [1, 2])
  }

  @Test func `a full database says so, and stays usable`() throws {
    try connection.execute("PRAGMA max_page_count=8")
    let error = #expect(throws: SQLiteError.self) {
      try insert([UInt8](repeating: 1, count: 200_000), 1)
    }
    #expect(error?.isFull == true)
    #expect(try numbers() == [])
    try insert([1], 1)
    #expect(try numbers() == [1])
  }

  @Test func `a file that is no database is corrupt`() throws {
    let other = folder.path + "/other.db"
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: other))
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: other).execute("SELECT * FROM sqlite_schema")
    }
    #expect(error?.isCorrupt == true)
  }

  @Test func `a writer does not keep a reader waiting`() throws {
    try insert([1], 1)
    let reader = try Connection(path: path)
    try connection.transaction { () throws(SQLiteError) in
      try insert([2], 2)
      #expect((try? numbers(in: reader)) == [1])
    }
    #expect(try numbers(in: reader) == [1, 2])
  }

  @Test func `what was committed is there after the file is opened again`() throws {
    try connection.transaction { () throws(SQLiteError) in try insert([1], 42) }
    #expect(try numbers(in: Connection(path: path)) == [42])
  }

  @Test func `the counts are those of the last statement`() throws {
    try insert([1], 1)
    try insert([2], 2)
    #expect(connection.changedRows == 1)
    try connection.prepare("UPDATE item SET number = 5").run()
    #expect(connection.changedRows == 2)
  }

  @Test func `an error says what it is, and no value`() throws {
    let key = Array("a-key-of-its-own".utf8)
    try insert(key, 1)
    let refused = try #require(#expect(throws: SQLiteError.self) { try insert(key, 2) })
    #expect("\(refused)" == "constraint failed (1555)")
    let unknown = #expect(throws: SQLiteError.self) {
      try connection.prepare("SELECT * FROM absent")
    }
    #expect(unknown?.message == "no such table: absent")
    let empty = #expect(throws: SQLiteError.self) { try connection.prepare("") }
    #expect(empty?.message == "bad parameter or other API misuse")
  }

  @Test func `a database that stays locked is waited for so long, and no longer`() throws {
    let other = try Connection(path: path, patience: 50)
    try connection.transaction { () throws(SQLiteError) in
      let start = ContinuousClock.now
      let error = #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
      #expect(error?.isBusy == true)
      #expect(ContinuousClock.now - start >= .milliseconds(50))
    }
    try other.execute("BEGIN IMMEDIATE")
  }

  @Test func `a database that is let go in time is had`() throws {
    try connection.execute("BEGIN IMMEDIATE")
    let path = path
    let writer = Thread {
      do {
        let other = try Connection(path: path, patience: 30_000)
        try other.prepare("INSERT INTO item VALUES (?, ?)").run(.blob([2]), .integer(2))
      } catch { Issue.record("\(error)") }
    }
    writer.start()
    Thread.sleep(forTimeInterval: 0.05)
    #expect(!writer.isFinished)
    try connection.execute("COMMIT")
    let limit = ContinuousClock.now + .seconds(30)
    while !writer.isFinished, ContinuousClock.now < limit { usleep(1000) }
    #expect(try numbers() == [2])
  }
}
