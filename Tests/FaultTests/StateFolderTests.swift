import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit

/// State that is not root's alone, or not whole: the daemon refuses to start, and says which file
/// and why.
@Suite(.serialized) struct StateFolderTests {
  struct Flaw: CustomTestStringConvertible {
    let testDescription: String
    /// Below the state folder; empty for itself.
    let path: String
    let words: String
    let make: @Sendable (String) -> Bool
  }

  private static func replace(_ path: String, _ body: (String) -> Bool) -> Bool {
    rename(path, path + ".aside") == 0 && body(path)
  }

  static let flaws: [Flaw] = [
    Flaw(testDescription: "the folder lets others in", path: "", words: "lets others in") {
      chmod($0, 0o755) == 0
    },
    Flaw(testDescription: "the folder is another's", path: "", words: "belongs to uid 5") {
      chown($0, 5, 0) == 0
    },
    Flaw(testDescription: "the host key can be read", path: "host.key", words: "mode 644") {
      chmod($0, 0o644) == 0
    },
    Flaw(testDescription: "the slot is another's", path: "shred.slot", words: "uid 5") {
      chown($0, 5, 5) == 0
    },
    Flaw(
      testDescription: "a store can be written", path: "users/0-root/items.db", words: "mode 620"
    ) { chmod($0, 0o620) == 0 },
    Flaw(testDescription: "a user's folder lets others in", path: "users/0-root", words: "mode 750")
    { chmod($0, 0o750) == 0 },
    Flaw(testDescription: "the host key is a link", path: "host.key", words: "symbolic link") {
      replace($0) { symlink($0 + ".aside", $0) == 0 }
    },
    Flaw(
      testDescription: "a store is a link", path: "users/0-root/items.db", words: "symbolic link"
    ) { replace($0) { symlink($0 + ".aside", $0) == 0 } },
    Flaw(
      testDescription: "a log of the store is a link", path: "users/0-root/items.db-wal",
      words: "symbolic link"
    ) { symlink("/etc/passwd", $0) == 0 },
    Flaw(
      testDescription: "the generations are a link", path: "users/0-root/generation",
      words: "symbolic link"
    ) { replace($0) { symlink($0 + ".aside", $0) == 0 } },
    Flaw(testDescription: "a user's folder is a link", path: "users/0-root", words: "symbolic link")
    { replace($0) { symlink($0 + ".aside", $0) == 0 } },
    Flaw(testDescription: "the record is a link", path: "audit/0.log", words: "symbolic link") {
      replace($0) { symlink("/etc/passwd", $0) == 0 }
    },
    Flaw(
      testDescription: "a user's key is a pipe", path: "users/0-root/user.key", words: "no regular"
    ) { replace($0) { mkfifo($0, 0o600) == 0 } },
  ]

  private static func filled() throws -> Service {
    let service = try Service()
    _ = try PrintSets(service.host)
    try service.start()
    try service.keychain.add("open", [7])
    try service.keychain.add("bound", [8], policy: "biometryCurrentSet")
    service.stop(SIGTERM)
    return service
  }

  @Test func `state that is not root's alone is refused with its path and what is wrong`() throws {
    let service = try Self.filled()
    let saved = "\(service.host.folder)/saved"
    try service.host.copy(service.state, saved)
    for flaw in Self.flaws {
      try FileManager.default.removeItem(atPath: service.state)
      try service.host.copy(saved, service.state)
      let path = flaw.path.isEmpty ? service.state : "\(service.state)/\(flaw.path)"
      #expect(flaw.make(path), "\(flaw.testDescription): \(errno)")
      let said = try service.refusal() ?? ""
      #expect(said.contains(path) && said.contains(flaw.words), "\(flaw.testDescription): \(said)")
    }
    try FileManager.default.removeItem(atPath: service.state)
    #expect(symlink(saved, service.state) == 0)
    #expect(try service.refusal()?.contains("symbolic link") == true)
    unlink(service.state)
    try service.host.copy(saved, service.state)
    try service.start()
    #expect(try service.keychain.value("open") == [7])
    #expect(try service.keychain.show(.named("bound")).binding == .live)
  }

  @Test func `damaged or missing keys are refused, and never made anew`() throws {
    let service = try Self.filled()
    let saved = "\(service.host.folder)/saved"
    try service.host.copy(service.state, saved)
    let damages: [(String, (String) -> Void)] = [
      ("host.key", { truncate($0, 31) }), ("host.key", { truncate($0, 0) }),
      ("host.key", { unlink($0) }), ("shred.slot", { truncate($0, 20) }),
      ("shred.slot", { truncate($0, 0) }), ("host.key", { Self.flip($0, 5) }),
      ("shred.slot", { for byte in 0..<144 { Self.flip($0, byte) } }),
    ]
    for (name, damage) in damages {
      try FileManager.default.removeItem(atPath: service.state)
      try service.host.copy(saved, service.state)
      damage("\(service.state)/\(name)")
      #expect(try service.refusal()?.contains("damaged") == true, "\(name): \(service.log)")
    }
  }

  @Test func `one user's generations cut short end, and nobody else's`() throws {
    let service = try Self.filled()
    try service.host.copy("\(service.host.prints)/root", "\(service.host.prints)/games")
    try service.start()
    let games = service.keychain(of: 5)
    try games.add("theirs", [9], policy: "biometryCurrentSet")
    service.stop(SIGTERM)
    for count in [0, 700, 3000] {
      truncate("\(service.state)/users/0-root/generation", off_t(count))
      try service.start()
      #expect(try service.keychain.show(.named("bound")).binding != .live)
      #expect(failure { try service.keychain.value("bound") }?.code == .invalidated)
      #expect(try games.show(.named("theirs")).binding == .live)
      try service.keychain.add("bound", [8], policy: "biometryCurrentSet", replacing: true)
      service.stop()
      try service.start()
      #expect(try service.keychain.show(.named("bound")).binding == .live)
      #expect(try games.show(.named("theirs")).binding == .live)
      service.stop(SIGTERM)
    }
  }

  static func flip(_ path: String, _ offset: Int) {
    guard let file = FileHandle(forUpdatingAtPath: path) else { return }
    file.seek(toFileOffset: UInt64(offset))
    guard let byte = file.readData(ofLength: 1).first else { return }
    file.seek(toFileOffset: UInt64(offset))
    file.write(Data([byte ^ 0x41]))
    file.closeFile()
  }
}
