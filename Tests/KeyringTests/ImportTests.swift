import Foundation
import Glibc
import TestHost
import Testing

/// Items of a real gnome-keyring, taken over by the real programs.
@Suite(.serialized) final class ImportTests {
  private let it: KeyringHost

  init() throws { it = try KeyringHost() }

  @Test func `a thousand odd items come over, byte by byte, and once`() throws {
    try it.client("fill", "1000", "session")
    let dump = try it.client("dump")
    try #require(dump.items.count == 1000)
    let dry = try it.importing(["--dry-run", "--access", "none"])
    #expect(dry.status == 0 && dry.output.hasSuffix("1000 to be imported\n"), "\(dry.error)")
    #expect(try it.rows().isEmpty)
    let started = Date()
    let first = try it.importing(["--access", "none"])
    print("1,000 items imported in \(Date().timeIntervalSince(started)) s")
    #expect(first.status == 0 && first.output == "1000 imported\n", "\(first)")
    try it.expectAll(dump, access: "none")
    try it.expectSecrets(dump)
    let second = try it.importing(["--access", "none"])
    #expect(second.output == "0 imported, 1000 there already\n", "\(second)")
    #expect(try it.client("dump").items.count == 1000)
  }

  @Test func `an imported item needs its gate, and opens by a touch`() throws {
    try it.client("fill", "12", "default")
    let result = try it.importing()
    #expect(result.output == "12 imported\n", "\(result)")
    try it.expectAll(try it.client("dump"), access: "userPresence")
    #expect(try it.host.whorl(["read", "mail/user1"]).status == 36)
    #expect(try it.host.whorl(["list"]).output.contains("whorl.pending") == false)
    let terminal = try it.host.terminal(["lookup", "service", "mail", "account", "user1"])
    try terminal.expect(PrivateHost.touchOrType)
    try it.host.scan("alice")
    #expect(try terminal.status(seconds: 10) == 0)
  }

  @Test(arguments: [false, true])
  func `killed at any moment and run again, nothing is lost or doubled`(_ moves: Bool) throws {
    try it.client("fill", "150", moves ? "default" : "session")
    let dump = try it.client("dump")
    let options = ["--access", "none"] + (moves ? ["--move"] : [])
    var runs = 0
    while true {
      runs += 1
      try #require(runs < 40)
      let seconds = String(Double.random(in: 0.05...0.9))
      let result = try it.importing(
        options, prefix: ["/usr/bin/timeout", "--signal=KILL", seconds])
      if result.status == 0 { break }
      // What is nowhere but in Whorl is gated there.
      let left = Set(try it.client("dump").items.map(\.path))
      let rows = try it.rows()
      for item in dump.items where !left.contains(item.path) {
        let row = try #require(rows[item.path])
        #expect(row.attributes["whorl.pending"] == nil)
      }
      if runs > 12 { break }
    }
    // Items that an earlier run imported, of access none, are compared without a touch.
    let last = try it.importing(options)
    #expect(last.status == 0, "\(last)")
    try it.expectAll(dump, access: "none")
    try it.expectSecrets(dump)
    #expect(try it.client("dump").items.count == (moves ? 0 : 150))
  }

  @Test func `what changed there is told and left, and comes with --replace`() throws {
    try it.client("fill", "3", "default")
    #expect(try it.importing(["--access", "none"]).status == 0)
    let path = try #require(try it.client("dump").items.first).path
    // The keyring counts in seconds.
    Thread.sleep(forTimeInterval: 1.1)
    try it.client("secret", "another", path)
    let result = try it.importing(["--access", "none"])
    #expect(result.status == 1)
    #expect(result.error.contains("has changed in the keyring since it was imported"))
    let moved = try it.importing(["--access", "none", "--move"])
    #expect(moved.status == 1 && moved.output.contains("2 originals deleted"), "\(moved)")
    #expect(try it.client("dump").items.map(\.path) == [path])
    #expect(try it.importing(["--access", "none", "--replace", "--move"]).status == 0)
    let hex = "another".utf8.map { String($0, radix: 16) }.joined()
    #expect(try it.secrets([try #require(try it.rows()[path])]) == [hex])
    #expect(try it.client("dump").items.isEmpty)
  }

  @Test func `moving gated items of an earlier run takes one touch`() throws {
    try it.client("fill", "20", "default")
    #expect(try it.importing().status == 0)
    #expect(try it.importing(["--move", "--no-interaction"]).status == 36)
    #expect(try it.client("dump").items.count == 20)
    let terminal = try it.host.terminal(
      program: it.keyring.environment + [it.host.command, "import", "secret-service", "--move"])
    try terminal.expect("Touch")
    try it.host.scan("alice")
    #expect(try terminal.status(seconds: 20) == 0)
    try terminal.expect("20 there already, 20 originals deleted")
    #expect(try it.client("dump").items.isEmpty)
  }

  @Test func `only items with the attributes come`() throws {
    try it.client("fill", "30", "session")
    let result = try it.importing(["--attribute", "service=mail", "--access", "none"])
    #expect(result.output == "6 imported\n", "\(result)")
  }
}
