import Foundation
import Glibc
import TestHost
import Testing

/// Backups, files of other programs and lookups, by the command line.
@Suite(.serialized) final class CommandTests {
  private let it: KeyringHost
  private var host: PrivateHost { it.host }

  init() throws { it = try KeyringHost() }

  /// A file that the tests' user may read and its folder be written to.
  private func file(_ name: String, _ text: String? = nil) throws -> String {
    let folder = host.folder + "/files"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let text { try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
    let result = try host.run(["/bin/chown", "-R", "\(PrivateHost.games)", folder])
    try #require(result.status == 0, "\(result.error)")
    return "\(folder)/\(name)"
  }

  @Test func `a backup opens on another host, without what may not leave`() throws {
    try host.add("mail/alice", "hunter2", access: "none", ["--label", "Mail", "--attr", "a=b"])
    try host.add("gated", "secret two", access: "userPresence")
    try host.add("here", access: "none", ["--class", "whenUnlockedThisDeviceOnly"])
    let path = try file("backup")
    let refused = try host.whorl(["export", path], input: "pass phrase\n")
    #expect(refused.status == 36 && access(path, F_OK) != 0, "\(refused)")
    let empty = try host.terminal(["export", path])
    try empty.expect("Passphrase of the backup: ")
    empty.type("\n")
    try empty.expect("a backup needs a passphrase")
    #expect(try empty.status() == 206)
    let terminal = try host.terminal(["export", path])
    for question in ["Passphrase of the backup: ", "The same again: "] {
      try terminal.expect(question)
      terminal.type("pass phrase\n")
    }
    try terminal.expect("Touch")
    try host.scan("alice")
    #expect(try terminal.status() == 0)
    #expect(
      terminal.output.contains("left behind: \"here\": its class is whenUnlockedThisDeviceOnly"))
    try terminal.expect("2 written, 1 left behind")
    let taken = try host.whorl(["export", path], input: "pass phrase\n")
    #expect(taken.status == 1 && taken.error.contains("is there already"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let data = try Data(contentsOf: URL(filePath: path))
    let other = try KeyringHost()
    let copy = other.host.folder + "/backup"
    func put(_ data: Data) throws {
      try data.write(to: URL(filePath: copy))
      chmod(copy, 0o644)
    }
    for index in stride(from: 0, to: data.count, by: 41) {
      var damaged = data
      damaged[index] ^= 4
      try put(damaged)
      let result = try other.host.whorl(["import", "backup", copy], input: "pass phrase\n")
      #expect(result.status == 1 && result.error.contains("damaged"), "\(index): \(result)")
    }
    try put(data)
    let wrong = try other.host.whorl(["import", "backup", copy], input: "pass phrase!\n")
    #expect(wrong.status == 51 && wrong.error.contains("passphrase is wrong"), "\(wrong)")
    #expect(try other.host.whorl(["list"]).output.isEmpty)
    let dry = try other.host.whorl(["import", "backup", copy, "-n"], input: "pass phrase")
    #expect(dry.output == "\"gated\"\n\"mail/alice\"\n2 to be imported\n", "\(dry)")
    let restored = try other.host.whorl(["import", "backup", copy], input: "pass phrase\n")
    #expect(restored.output == "2 imported\n", "\(restored)")
    let again = try other.host.whorl(["import", "backup", copy], input: "pass phrase\n")
    #expect(again.output == "0 imported, 2 there already\n", "\(again)")
    #expect(try other.host.whorl(["read", "mail/alice"]).output == "hunter2")
    #expect(try other.host.whorl(["show", "mail/alice"]).output.contains("Mail"))
    #expect(try other.host.whorl(["read", "gated"]).status == 36)
    let reading = try other.host.reading("gated")
    try other.host.scan("alice")
    try reading.expect("secret two")
  }

  @Test func `lookup finds what secret-tool finds`() throws {
    let words = ["service", "mail", "account", "user1"]
    try it.client("fill", "5", "default")
    func tool(_ words: [String]) throws -> CommandResult {
      try host.run(
        it.keyring.environment + ["/usr/bin/secret-tool", "lookup"] + words,
        user: PrivateHost.games)
    }
    #expect(try it.importing(["--access", "none"]).status == 0)
    for words in [words, ["account", "user1"], ["empty", "", "number", "3"]] {
      let theirs = try tool(words)
      let ours = try host.whorl(["lookup"] + words)
      #expect(theirs.status == 0 && ours.status == 0, "\(theirs) \(ours)")
      #expect(ours.output == theirs.output)
    }
    #expect(try tool(["service", "none"]).status == 1)
    #expect(try host.whorl(["lookup", "service", "none"]).status == 44)
    #expect(try host.whorl(["lookup", "service"]).status == 206)
    try host.add("web/bob", "own", access: "none")
    #expect(try host.whorl(["lookup", "service", "web", "account", "bob"]).output == "own")
  }

  @Test func `a CSV comes once, and again with what changed`() throws {
    let text =
      "Title,Username,Password,URL,Notes\nBank,ann,p1,https://b,\"two\nlines\"\nX,,p2,,\n"
      + "None,bob,,,\n"
    let path = try file("export.csv", text)
    let dry = try host.whorl(["import", "csv", path, "--dry-run"])
    #expect(
      dry.output == "\"Bank/ann\"\n\"Bank/ann (notes)\"\n\"X\"\n"
        + "3 to be imported, 1 row without a password\n", "\(dry)")
    #expect(try host.whorl(["list"]).output.isEmpty)
    let first = try host.whorl(["import", "csv", path, "--access", "none"])
    #expect(first.output == "3 imported, 1 row without a password\n", "\(first)")
    #expect(first.status == 0)
    #expect(try host.whorl(["read", "Bank/ann"]).output == "p1")
    #expect(try host.whorl(["read", "Bank/ann (notes)"]).output == "two\nlines")
    #expect(try host.whorl(["lookup", "url", "https://b", "label", "Bank"]).status == 0)
    _ = try file("export.csv", text.replacingOccurrences(of: "p1", with: "p3"))
    let second = try host.whorl(["import", "csv", path, "--access", "none"])
    #expect(second.output == "0 imported, 3 there already, 1 row without a password\n", "\(second)")
    #expect(try host.whorl(["import", "csv", path, "--access", "none", "--replace"]).status == 0)
    #expect(try host.whorl(["read", "Bank/ann"]).output == "p3")
    let bad = try host.whorl(["import", "csv", try file("bad.csv", "a,b\n1,2\n")])
    #expect(bad.status == 1 && bad.error.contains("no column of passwords"))
  }

  @Test func `an env file comes, each variable an item`() throws {
    let path = try file(".env", "# keys\nexport API_KEY='a b'\nEMPTY=\nAPI_KEY=last\n")
    let result = try host.whorl(["import", "env", path, "--service", "app", "--access", "none"])
    #expect(result.output == "2 imported\n", "\(result)")
    #expect(try host.whorl(["read", "app/API_KEY"]).output == "last")
    #expect(try host.whorl(["read", "app/EMPTY"]).output.isEmpty)
    let piped = try host.whorl(["import", "env", "-", "--access", "none"], input: "PIPED=x")
    #expect(piped.output == "1 imported\n", "\(piped)")
  }

  @Test func `a pass store comes through gpg`() throws {
    let folder = host.folder + "/files"
    _ = try file("none", "")
    let script = """
      set -e; export GNUPGHOME="$0/gnupg"; mkdir -m 700 "$GNUPGHOME"; cd "$0"
      gpg --batch --quiet --passphrase '' --quick-generate-key store default default never
      mkdir -p store/web/mail
      printf 'hunter2\\nlogin: bob\\n' | gpg --quiet -e -r store -o store/web/mail/bob.gpg
      printf 'alone' | gpg --quiet -e -r store -o store/alone.gpg
      printf 'junk' >store/broken.gpg; printf x >store/.gpg-id
      """
    let made = try host.run(
      ["/bin/sh", "-c", script, folder], user: PrivateHost.games, seconds: 60)
    try #require(made.status == 0, "\(made)")
    let gpg = ["/usr/bin/env", "GNUPGHOME=\(folder)/gnupg"]
    let store = folder + "/store"
    let dry = try host.whorl(["import", "pass", store, "-n"], prefix: gpg)
    #expect(dry.output == "\"alone\"\n\"broken\"\n\"web/mail/bob\"\n3 to be imported\n", "\(dry)")
    let result = try host.whorl(["import", "pass", store, "--access", "none"], prefix: gpg)
    #expect(result.status == 1 && result.output == "3 imported, 1 not taken over\n", "\(result)")
    #expect(result.error.contains("\"broken\": gpg could not decrypt it"))
    #expect(try host.whorl(["read", "web/mail/bob"]).output == "hunter2")
    #expect(try host.whorl(["read", "web/mail/bob (notes)"]).output == "login: bob\n")
    #expect(try host.whorl(["read", "alone"]).output == "alone")
    _ = try host.run(gpg + ["/usr/bin/gpgconf", "--kill", "all"], user: PrivateHost.games)
  }
}
