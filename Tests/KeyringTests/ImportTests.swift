import Foundation
import Glibc
import TestHost
import Testing

/// Items of a real gnome-keyring, taken over by the real programs.
@Suite(.serialized) final class ImportTests {
  let host: PrivateHost
  let keyring: PrivateKeyring

  init() throws {
    host = try PrivateHost.complete()
    let copy = try host.run(
      ["/bin/cp", PrivateHost.programs + "/whorl-keyring", host.folder + "/whorl-keyring"])
    try #require(copy.status == 0, "\(copy.error)")
    keyring = try PrivateKeyring(host)
  }

  private func importing(
    _ options: [String] = [], seconds: Double = 60
  ) throws -> CommandResult {
    try host.whorl(
      ["import", "secret-service"] + options, prefix: keyring.environment, seconds: seconds)
  }

  @discardableResult
  private func client(_ words: String...) throws -> KeyringDump {
    let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/items.py"
    let result = try host.run(
      keyring.environment + ["/usr/bin/python3", script] + words, user: PrivateHost.games,
      seconds: 60)
    try #require(result.status == 0, "\(result.error)")
    return try JSONDecoder().decode(KeyringDump.self, from: Data(result.output.utf8))
  }

  /// What Whorl has of each item, by the path that it had in the keyring.
  private func rows() throws -> [String: StoredRow] {
    let result = try host.whorl(["list", "--json"])
    let rows = try JSONDecoder().decode([StoredRow].self, from: Data(result.output.utf8))
    return Dictionary(rows.map { ($0.path, $0) }) { first, _ in
      Issue.record("two items of \(first.path)")
      return first
    }
  }

  /// Every item of the dump is there, with label, attributes and secret.
  private func expectAll(_ dump: KeyringDump, access: String) throws {
    let rows = try rows()
    #expect(rows.count == dump.items.count)
    for item in dump.items {
      let row = try #require(rows[item.path])
      #expect(row.access == access)
      #expect(row.attributes["label"] ?? "" == item.label)
      let attributes = row.attributes.filter { $0.key != "label" && !$0.key.hasPrefix("whorl.") }
      #expect(attributes == item.attributes)
    }
  }

  @Test func `a thousand odd items come over, byte by byte, and once`() throws {
    try client("fill", "1000")
    let dump = try client("dump")
    try #require(dump.items.count == 1000)
    let dry = try importing(["--dry-run", "--access", "none"])
    #expect(dry.status == 0 && dry.output.hasSuffix("1000 to be imported\n"), "\(dry.error)")
    #expect(try rows().isEmpty)
    let first = try importing(["--access", "none"])
    #expect(first.status == 0 && first.output == "1000 imported\n", "\(first)")
    try expectAll(dump, access: "none")
    let rows = try rows()
    for item in dump.items {
      // The names are as odd as the items.
      let read = try host.run(
        ["/bin/sh", "-c", "\"$0\" read -- \"$1\" | od -An -v -tx1 | tr -d ' \\n'", host.command]
          + [rows[item.path]!.name], user: PrivateHost.games)
      #expect(read.output == item.secret, "\(item.path): \(read.error)")
    }
    let second = try importing(["--access", "none"])
    #expect(second.output == "0 imported, 1000 there already\n", "\(second)")
    #expect(try client("dump").items.count == 1000)
  }
}
