import Foundation
import Glibc
import TestHost
import Testing

/// A host with everything, and a real gnome-keyring of the tests' user.
final class KeyringHost {
  let host: PrivateHost
  let keyring: PrivateKeyring

  init(isEmpty: Bool = false) throws {
    host = try PrivateHost.complete()
    try host.installHelper("whorl-keyring")
    keyring = try PrivateKeyring(host, isEmpty: isEmpty)
  }

  func importing(
    _ options: [String] = [], prefix: [String] = [], seconds: Double = 60
  ) throws -> CommandResult {
    try host.whorl(
      ["import", "secret-service"] + options, prefix: keyring.environment + prefix, seconds: seconds
    )
  }

  @discardableResult
  func client(_ words: String...) throws -> KeyringDump { try client(words) }

  @discardableResult
  func client(_ words: [String]) throws -> KeyringDump {
    let result = try host.run(
      keyring.environment + Self.script("items.py") + words, user: PrivateHost.games,
      seconds: 60)
    try #require(result.status == 0, "\(result.error)")
    return try JSONDecoder().decode(KeyringDump.self, from: Data(result.output.utf8))
  }

  private static func script(_ name: String) -> [String] {
    ["/usr/bin/python3", URL(filePath: #filePath).deletingLastPathComponent().path + "/" + name]
  }

  /// A person who answers the keyring's prompts with these passwords in turn, then dismisses them.
  func person(typing passwords: [String]) throws -> KeyringPerson {
    let log = host.folder + "/person.log"
    unlink(log)
    let words = keyring.environment + Self.script("system-prompter.py") + passwords
    let child = try Child(words, environment: [:], user: PrivateHost.games, error: log)
    let person = KeyringPerson(child: child, log: log)
    try host.wait("the prompter") { person.lines.first == "ready" }
    return person
  }

  /// What Whorl has of each item, by the path that it had in the keyring.
  func rows() throws -> [String: StoredRow] {
    let result = try host.whorl(["list", "--json"])
    let rows = try JSONDecoder().decode([StoredRow].self, from: Data(result.output.utf8))
    return Dictionary(rows.map { ($0.path, $0) }) { first, _ in
      Issue.record("two items of \(first.path)")
      return first
    }
  }

  /// Every item of the dump is there, with label, attributes and secret.
  func expectAll(_ dump: KeyringDump, access: String) throws {
    let rows = try rows()
    #expect(rows.count == dump.items.count)
    for item in dump.items {
      let row = try #require(rows[item.path])
      #expect(row.access == access)
      #expect(row.attributes["label"] ?? "" == item.label)
      let attributes = row.attributes.filter { key, _ in
        // gnome-keyring gives items that it reads back from its file a schema.
        key != "label" && !key.hasPrefix("whorl.")
          && (key != "xdg:schema" || item.attributes[key] != nil)
      }
      #expect(attributes == item.attributes)
    }
  }

  /// The secrets as Whorl has them, in hexadecimal digits.
  func secrets(_ rows: [StoredRow]) throws -> [String] {
    // The names are as odd as the items.
    let script = """
      for name; do "$0" read -- "$name" | od -An -v -tx1 | tr -d ' \\n'; echo; done
      """
    let result = try host.run(
      ["/bin/sh", "-c", script, host.command] + rows.map(\.name), user: PrivateHost.games,
      seconds: 120)
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .dropLast()
  }

  /// Whorl's secrets are those of the dump.
  func expectSecrets(_ dump: KeyringDump) throws {
    let rows = try rows()
    let secrets = try secrets(dump.items.map { try #require(rows[$0.path]) })
    #expect(secrets == dump.items.map(\.secret))
  }
}
