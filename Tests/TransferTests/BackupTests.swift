import AccessControl
import Crypto
import Foundation
import SecretMemory
import Testing
import Transfer
import Wire

/// The format of backups, and every way to spoil one.
struct BackupTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path
  private static let passphrase = "correct horse ❤"

  init() throws { try Crypto.initialize() }

  private func secret(_ text: String) throws -> SecretBytes {
    try SecretBytes(copying: Array(text.utf8).span)
  }

  private func vector(_ version: Int = 2) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Self.folder + "/Vectors/backup-\(version)")))
  }

  private func bytes(_ secret: SecretBytes) -> [UInt8] {
    secret.withBytes { secret in secret.indices.map { secret[$0] } }
  }

  /// The file with a checksum that is right, as somebody makes it who alters a file on purpose.
  private func whole(_ file: [UInt8]) -> [UInt8] {
    let body = Array(file.dropLast(32))
    return body + Hash.blake2b(body)
  }

  private func expectNotOpening(_ file: [UInt8], _ what: String) throws {
    #expect(throws: BackupError.self, "\(what)") {
      _ = try BackupReader(file, passphrase: try secret(Self.passphrase))
    }
  }

  @Test(arguments: [1, 2])
  func `each version, as another program wrote it, opens`(_ version: Int) throws {
    let reader = try BackupReader(try vector(version), passphrase: try secret(Self.passphrase))
    // The first version said nothing of stores.
    let stores: [StoreKind?] = version == 1 ? [nil, nil, nil] : [.secretService, .own, nil]
    #expect(reader.items.map(\.item.store) == stores)
    #expect(reader.date == 1_700_000_004)
    #expect(reader.items.map(\.created) == [1_700_000_000, 1_700_000_002, 0])
    #expect(reader.items.map(\.modified) == [1_700_000_001, 1_700_000_003, 1])
    #expect(reader.items.map(\.item.accessControl.text) == ["userPresence", "none", "none"])
    let identities = reader.items.map(\.item.identity)
    #expect(
      identities == [
        ItemIdentity(
          group: Array("whorl".utf8), service: Array("mail".utf8), account: Array("alice".utf8)),
        ItemIdentity(group: Array("whorl".utf8), service: [], account: Array("ключ".utf8)),
        ItemIdentity(
          group: Array("other".utf8), service: Array("a/b".utf8), account: Array("empty".utf8)),
      ])
    #expect(reader.items[0].item.attributes["labl"] == Array("Mail".utf8))
    #expect(reader.items[2].item.attributes["b"] == [0, 255])
    #expect(bytes(try reader.secret(at: 0)) == Array("hunter2".utf8))
    #expect(bytes(try reader.secret(at: 1)) == Array(0...255))
    #expect(bytes(try reader.secret(at: 2)).isEmpty)
  }

  @Test func `what is written is read, of any size`() throws {
    let old = try BackupReader(try vector(), passphrase: try secret(Self.passphrase))
    var writer = try BackupWriter(passphrase: try secret("x"))
    let large = try Random.secret(1024 * 1024)
    for item in old.items { try writer.add(item, secret: large) }
    let file = try writer.finish(date: 7)
    let reader = try BackupReader(file, passphrase: try secret("x"))
    #expect(reader.items == old.items && reader.date == 7)
    #expect(bytes(try reader.secret(at: 2)) == bytes(large))
    #expect(Data(file).range(of: Data("alice".utf8)) == nil)
    let none = try BackupWriter(passphrase: try secret("x")).finish(date: 8)
    #expect(try BackupReader(none, passphrase: try secret("x")).items.isEmpty)
  }

  @Test func `any one changed byte, and any cut, is told without the passphrase`() throws {
    let file = try vector()
    for index in file.indices {
      var damaged = file
      damaged[index] ^= UInt8.random(in: 1...255)
      #expect(throws: index < 8 ? BackupError.foreign : .damaged, "\(index)") {
        try BackupReader.check(damaged)
      }
      #expect(throws: index < 8 ? BackupError.foreign : .damaged, "\(index)") {
        try BackupReader.check(Array(file[..<index]))
      }
    }
    #expect(throws: BackupError.damaged) { try BackupReader.check(file + [0]) }
  }

  @Test func `what was altered on purpose does not open`() throws {
    let file = try vector()
    for index in stride(from: 8, to: file.count - 32, by: 37) {
      var altered = file
      altered[index] ^= 1
      try expectNotOpening(whole(altered), "\(index)")
    }
  }

  @Test func `records cannot be swapped, left out or repeated`() throws {
    let file = try vector()
    var records: [[UInt8]] = []
    var start = 25
    while start < file.count - 32 {
      let count = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + 4
      records.append(Array(file[start..<start + count]))
      start += count
    }
    try #require(records.count == 4)
    let end = [UInt8](repeating: 0, count: 32)
    for order in [
      [1, 0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2, 2, 3], [3], [], [0, 1, 2, 3, 3],
    ] {
      try expectNotOpening(
        whole(file[..<25] + order.flatMap { records[$0] } + end), "\(order)")
    }
  }

  @Test func `a wrong passphrase and a later version have words of their own`() throws {
    #expect(throws: BackupError.passphrase) {
      _ = try BackupReader(try vector(), passphrase: try secret("wrong"))
    }
    #expect(throws: BackupError.empty) {
      _ = try BackupReader(try vector(), passphrase: try secret(""))
    }
    var later = try vector()
    later[8] = 3
    #expect(throws: BackupError.version(3)) { try BackupReader.check(whole(later)) }
  }
}
