import Crypto
import Foundation
import HostAuthentication
import SecretMemory
import TemporaryFolder
import Testing
import Vault

@Suite final class PrintFolderTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }
  let key: SecretBytes
  let owner = Owner(user: 1000, name: Array("alice".utf8))

  init() throws {
    temporary = try TemporaryFolder()
    try Crypto.initialize()
    key = try SecretBytes(count: 32)
    try FileManager.default.createDirectory(
      atPath: "\(folder)/alice/driver/0", withIntermediateDirectories: true)
    try write("7", "FP3 print")
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(
      toFile: "\(folder)/alice/driver/0/\(name)", atomically: false, encoding: .utf8)
  }

  private func entries() -> EnrolledPrints {
    PrintFolder(folder: folder, configuration: "\(folder)/none").entries(
      of: owner, contentKey: key)
  }

  @Test func `every file of the tree is an entry, in order of its path`() throws {
    try write("2", "other")
    try "not a print".write(toFile: "\(folder)/alice/.note", atomically: false, encoding: .utf8)
    guard case .entries(let entries) = entries() else {
      Issue.record("no entries")
      return
    }
    #expect(
      entries.map { String(decoding: $0.path, as: UTF8.self) } == [
        ".note", "driver/0/2", "driver/0/7",
      ])
    #expect(entries[2].contentHash == KeyedHash.hash(Array("FP3 print".utf8), key: key))
  }

  @Test func `a rewritten file with the same bytes is another entry`() throws {
    let before = entries()
    usleep(20_000)
    try write("7", "FP3 print")
    #expect(entries() != before)
  }

  @Test func `looking changes nothing`() {
    #expect(entries() == entries())
  }

  @Test func `a link is irregular`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/alice/driver/0/8", withDestinationPath: "7")
    #expect(entries() == .irregular(path: Array("driver/0/8".utf8)))
  }

  @Test func `a fifo is irregular and does not block`() {
    mkfifo("\(folder)/alice/driver/0/8", 0o600)
    #expect(entries() == .irregular(path: Array("driver/0/8".utf8)))
  }

  @Test func `a file over the limit is irregular`() throws {
    try write("7", String(repeating: "x", count: 1024 * 1024 + 1))
    #expect(entries() == .irregular(path: Array("driver/0/7".utf8)))
  }

  @Test func `a user folder that is a link is irregular`() throws {
    try FileManager.default.moveItem(atPath: "\(folder)/alice", toPath: "\(folder)/bob")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/alice", withDestinationPath: "bob")
    #expect(entries() == .irregular(path: []))
  }

  @Test func `a user without a folder has no prints`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/alice")
    #expect(entries() == .entries([]))
  }

  @Test(arguments: ["..", ".", "", "a/b"])
  func `a name that is no single folder is never opened`(_ name: String) {
    let prints = PrintFolder(folder: folder, configuration: "\(folder)/none")
    #expect(
      prints.entries(of: Owner(user: 1, name: Array(name.utf8)), contentKey: key) == .unavailable)
  }

  @Test func `prints kept elsewhere than in files are unavailable`() throws {
    try "[storage]\ntype = other\n".write(
      toFile: "\(folder)/fprintd.conf", atomically: false, encoding: .utf8)
    let prints = PrintFolder(folder: folder, configuration: "\(folder)/fprintd.conf")
    #expect(prints.entries(of: owner, contentKey: key) == .unavailable)
  }

  @Test func `a change anywhere in the tree is told with its user`() throws {
    let loop = try EpollLoop()
    var changes: [String?] = []
    let watch = try PrintWatch(loop: loop, folder: folder) { changes.append($0) }
    func settle() throws { for _ in 0..<4 { try loop.turn(limit: 20) } }
    try settle()
    changes = []
    try write("7", "another")
    try settle()
    #expect(changes.contains("alice"))
    // A folder that appears later is watched too.
    try FileManager.default.createDirectory(
      atPath: "\(folder)/bob/driver/0", withIntermediateDirectories: true)
    try settle()
    changes = []
    try "x".write(toFile: "\(folder)/bob/driver/0/1", atomically: false, encoding: .utf8)
    try settle()
    #expect(changes.contains("bob"))
    withExtendedLifetime(watch) {}
  }
}
