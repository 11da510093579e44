import Foundation
import Glibc
import TestHost
import Testing

/// Items whose sealed form is in the user's own keyring.
@Suite(.serialized) final class SealedItemTests {
  private let it: SealedHost

  init() throws { it = try SealedHost() }

  @Test func `an item is added, listed, read, changed, searched and deleted`() throws {
    try it.add("mail/alice", "hunter2", "--label", "Mail", "--attr", "color=blue")
    #expect(try it.read("mail/alice") == "hunter2")
    let row = try #require(try it.rows().first)
    #expect(row.name == "mail/alice" && row.store == "secret-service" && row.placed)
    let list = try it.whorl("list").output
    #expect(list.contains("\"mail/alice\" \"Mail\"  none  secret-service"), "\(list)")
    #expect(try it.whorl("show", "mail/alice").output.contains("store       secret-service\n"))
    #expect(try it.whorl("update", "mail/alice", input: "two").error == "")
    #expect(try it.read("mail/alice") == "two")
    #expect(
      try it.whorl("update", "mail/alice", "--rename", "mail/bob", "--attr", "color=").error == "")
    #expect(try it.read("mail/bob") == "two")
    #expect(try it.sealed().count == 1)
    #expect(try it.whorl("lookup", "service", "mail").output == "two")
    #expect(try it.whorl("rm", "mail/bob").status == 0)
    #expect(try it.sealed().isEmpty)
    #expect(try it.whorl("read", "mail/bob").status == 44)
  }

  @Test func `the record tells when the keyring became the only place of an item`() throws {
    func placed() throws -> [Substring] {
      try it.whorl("log").output.split(separator: "\n").filter { $0.contains("  place ") }
    }
    try it.add("a", "one")
    #expect(try placed().count == 1)
    #expect(try placed().allSatisfy { $0.contains("place \"a\" for ") && $0.hasSuffix(": done") })
    try it.it.client("lock")
    #expect(try it.whorl("update", "a", input: "two").status == 0)
    #expect(try placed().count == 1)
    it.keyring.stopDaemon(signal: SIGKILL)
    try it.keyring.startDaemon()
    // The read places what was kept; the next one finds it there.
    for _ in 1...2 {
      #expect(try it.read("a") == "two")
      #expect(try placed().count == 2)
    }
  }

  @Test func `Seahorse sees whose it is, and a form that holds no secret`() throws {
    let secret = "correct horse battery staple"
    try it.add("mail/alice", secret, "--label", "Mail", "--attr", "color=blue")
    let item = try #require(try it.sealed().first)
    #expect(item.label == "Mail (sealed by Whorl)")
    let attributes = item.attributes
    #expect(attributes["xdg:schema"] == "org.whorl.SealedItem")
    #expect(attributes["whorl:service"] == "mail" && attributes["whorl:account"] == "alice")
    #expect(attributes["whorl:group"] == "whorl" && attributes["whorl:attr:color"] == "blue")
    #expect(attributes["service"] == nil && attributes["account"] == nil)
    // The first byte is the format of a sealed item.
    #expect(item.secret.hasPrefix("01") && item.secret.count > 2 * secret.utf8.count)
    let hidden = secret.utf8.map { String(format: "%02x", $0) }.joined()
    #expect(!item.secret.contains(hidden))
    // The database has neither.
    let files = try FileManager.default.subpathsOfDirectory(atPath: it.host.folder + "/state")
      .filter { $0.contains("items.db") }
    #expect(!files.isEmpty)
    let box = Data(Self.bytes(item.secret).suffix(40))
    for file in files where file.hasSuffix("items.db") {
      let data = try Data(contentsOf: URL(filePath: it.host.folder + "/state/" + file))
      #expect(data.range(of: box) == nil)
    }
  }

  @Test func `a gated item is read by touch and by password, after the keyring was asked`() throws {
    try it.add("gated", "deep", access: "userPresence")
    for isTouch in [true, false] {
      let terminal = try it.terminal("read", "gated")
      try terminal.expect(PrivateHost.touchOrType)
      if isTouch { try it.host.scan("alice") } else { terminal.type("sesame\n") }
      try terminal.expect("deep")
      #expect(try terminal.status() == 0)
    }
    let terminal = try it.terminal("update", "gated", "--label", "new")
    try terminal.expect(PrivateHost.touchOrType)
    terminal.type("sesame\n")
    #expect(try terminal.status() == 0)
    #expect(try it.sealed().map(\.label) == ["new (sealed by Whorl)"])
    try it.it.client("lock")
    let locked = try it.terminal("read", "gated")
    try locked.expect("your keyring is locked")
    #expect(try locked.status() == 36)
    #expect(!locked.output.contains("Touch"))
  }

  @Test func `large and empty secrets, and many at once`() throws {
    let large = String(repeating: "0123456789abcdef", count: 65536)
    try it.add("large", large)
    #expect(try it.read("large") == large)
    try it.add("empty", "", "--empty")
    #expect(try it.read("empty") == "")
    var names: [String] = []
    for number in 0..<40 {
      names.append("n\(number)")
      try it.add("n\(number)", "secret \(number)")
    }
    let all = try it.host.whorl(["read"] + names, prefix: it.environment, seconds: 60)
    #expect(all.output == (0..<40).map { "secret \($0)\n" }.joined())
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }
}
