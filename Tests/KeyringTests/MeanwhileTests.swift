import Foundation
import Glibc
import TestHost
import Testing

/// What others do to the keyring while it is imported.
@Suite(.serialized) final class MeanwhileTests {
  private let it: KeyringHost

  init() throws { it = try KeyringHost() }

  /// An import that took some items and stands still until SIGCONT.
  private func begun() throws -> Terminal {
    let terminal = try it.host.terminal(
      program: it.keyring.environment + [
        it.host.command, "import", "secret-service", "--access", "none",
      ])
    try terminal.expect("16 of")
    kill(terminal.pid, SIGSTOP)
    try it.host.wait("the import to stand still") {
      try String(contentsOfFile: "/proc/\(terminal.pid)/stat", encoding: .utf8).contains(") T ")
    }
    return terminal
  }

  @Test func `a collection that is deleted under an import costs what is not taken yet`() throws {
    try it.client("fill", "60", "default")
    let dump = try it.client("dump")
    let terminal = try begun()
    try it.client("drop")
    kill(terminal.pid, SIGCONT)
    #expect(try terminal.status(seconds: 30) == 1)
    let rows = try it.rows()
    #expect((16..<60).contains(rows.count))
    #expect(
      terminal.output.contains("\(rows.count) imported, \(60 - rows.count) not taken over"),
      "\(terminal.output)")
    #expect(terminal.output.contains("was deleted meanwhile"))
    #expect(rows.values.allSatisfy { $0.attributes["whorl.pending"] == nil })
    let taken = dump.items.filter { rows[$0.path] != nil }
    #expect(try it.secrets(taken.compactMap { rows[$0.path] }) == taken.map(\.secret))
    let again = try it.importing(["--access", "none"])
    #expect(again.status == 0 && again.output == "0 imported\n", "\(again)")
  }

  @Test func `what changes after it was listed is read as it is, and told the next time`() throws {
    try it.client("fill", "60", "default")
    let dump = try it.client("dump")
    let terminal = try begun()
    let taken = try it.rows()
    let rest = dump.items.filter { taken[$0.path] == nil }
    try #require(!rest.isEmpty)
    // The keyring counts in seconds.
    Thread.sleep(forTimeInterval: 1.1)
    try it.client(["secret", "another"] + rest.map(\.path))
    kill(terminal.pid, SIGCONT)
    #expect(try terminal.status(seconds: 30) == 0)
    let rows = try it.rows()
    #expect(rows.count == 60)
    let another = "another".utf8.map { String($0, radix: 16) }.joined()
    let secrets = try it.secrets(rest.map { try #require(rows[$0.path]) })
    // One may have been read already, and not stored.
    let old = zip(rest, secrets).filter { $0.secret != another && $1 == $0.secret }
    #expect(secrets.count { $0 == another } + old.count == rest.count && old.count <= 1)
    let next = try it.importing(["--access", "none"])
    #expect(next.status == 1, "\(next)")
    #expect(
      next.output == "0 imported, \(taken.count) there already, "
        + "\(rest.count) changed since and left alone\n")
    #expect(try it.importing(["--access", "none", "--replace"]).status == 0)
    try it.expectSecrets(try it.client("dump"))
  }

  @Test func `an original that changes between the comparison and its deletion stays`() throws {
    try it.client("fill", "20", "default")
    #expect(try it.importing().status == 0)
    let paths = try it.client("dump").items.map(\.path)
    let terminal = try it.host.terminal(
      program: it.keyring.environment + [it.host.command, "import", "secret-service", "--move"])
    try terminal.expect("Touch")
    // By now all of them are read.
    try it.client("secret", "another", paths[3])
    try it.client("label", "another", paths[5])
    try it.client("delete", paths[7])
    try it.host.scan("alice")
    #expect(try terminal.status(seconds: 20) == 1)
    #expect(
      terminal.output.contains(
        "20 there already, 17 originals deleted, 2 changed since and left alone"),
      "\(terminal.output)")
    #expect(Set(try it.client("dump").items.map(\.path)) == [paths[3], paths[5]])
  }
}
