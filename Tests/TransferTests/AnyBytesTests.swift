import Crypto
import SecretMemory
import Testing
import Transfer

/// Readers of files from outside bear any bytes.
struct AnyBytesTests {
  /// The same numbers on every run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private func each(of alphabet: [UInt8], count: Int, _ body: ([UInt8]) throws -> Void) throws {
    var dice = Dice()
    for _ in 0..<count {
      let length = Int.random(in: 0..<24, using: &dice)
      try body((0..<length).map { _ in alphabet.randomElement(using: &dice) ?? 0 })
    }
  }

  @Test func `a table has rows of one length, or is refused`() throws {
    var read = 0
    try each(of: Array("a,,\"\"\n\n\r\u{feff}".utf8), count: 50_000) { bytes in
      guard let table = try? SecretTable(try SecretBytes(copying: bytes.span)) else { return }
      read += 1
      #expect(table.rows.allSatisfy { $0.count == table.columns.count })
    }
    #expect(read > 5000)
  }

  @Test func `an env file has names, or is refused`() throws {
    var read = 0
    try each(of: Array("A==\"'\\#\n\n x$".utf8), count: 50_000) { bytes in
      guard let file = try? EnvironmentFile(try SecretBytes(copying: bytes.span)) else { return }
      read += 1
      #expect(file.assignments.allSatisfy { !$0.name.isEmpty })
    }
    #expect(read > 1000)
  }

  @Test func `a backup of any bytes is refused or whole`() throws {
    try Crypto.initialize()
    var whole = 0
    try each(of: [0, 0, 0, 1, 4, 40, 255], count: 50_000) { bytes in
      let salt = [UInt8](repeating: 0, count: 16)
      let file = Array("WHORLBAK".utf8) + [1] + salt + bytes
      if (try? BackupReader.check(file + Hash.blake2b(file))) != nil { whole += 1 }
      #expect(throws: BackupError.self) { try BackupReader.check(bytes) }
    }
    #expect(whole > 100)
  }
}
