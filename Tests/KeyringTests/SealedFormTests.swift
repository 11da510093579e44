import Foundation
import Glibc
import TestHost
import Testing

/// What others do to the sealed forms in a keyring: nothing opens but the current form of an item.
@Suite(.serialized) final class SealedFormTests {
  private static let refusal = "what your keyring has of it is not what was stored last"

  private func form(_ it: SealedHost, _ name: String) throws -> KeyringDump.Item {
    try #require(try it.sealed().first { $0.attributes["whorl:account"] == name })
  }

  private func expectRefused(_ it: SealedHost, _ name: String) throws {
    let result = try it.whorl("read", name)
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(result.error.contains(Self.refusal), "\(result)")
  }

  @Test func `a form copied to another item, or changed by somebody else, does not open`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    try it.add("b", "two")
    let (a, b) = (try form(it, "a"), try form(it, "b"))
    try it.overwrite(b, with: a.secret)
    try expectRefused(it, "b")
    for index in [0, 1, a.secret.count / 4, a.secret.count / 2 - 1] {
      var digits = Array(a.secret)
      digits[2 * index] = digits[2 * index] == "0" ? "1" : "0"
      try it.overwrite(a, with: String(digits))
      try expectRefused(it, "a")
    }
    try it.overwrite(a, with: "")
    try expectRefused(it, "a")
    try it.overwrite(a, with: a.secret)
    try it.overwrite(b, with: b.secret)
    #expect(try it.read("a") == "one" && it.read("b") == "two")
  }

  @Test func `an older form, of when the policy was weaker, does not open`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    let weak = try form(it, "a")
    #expect(try it.whorl("update", "a", "--access", "devicePasscode").status == 0)
    let strong = try form(it, "a")
    #expect(strong.secret != weak.secret)
    // The older bytes, where the newer ones are looked for.
    try it.overwrite(strong, with: weak.secret)
    try expectRefused(it, "a")
    try it.overwrite(strong, with: strong.secret)
    let terminal = try it.terminal("read", "a")
    try terminal.expect("ype your password")
    terminal.type("sesame\n")
    try terminal.expect("one")
    #expect(try terminal.status() == 0)
  }

  @Test func `a deleted item's form does not open, nor in a new item of its name`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    let old = try form(it, "a")
    #expect(try it.whorl("rm", "a").status == 0)
    try it.add("a", "two")
    try it.overwrite(try form(it, "a"), with: old.secret)
    try expectRefused(it, "a")
    let replaced = try it.whorl("add", "--replace", "a", input: "three")
    #expect(replaced.status == 0 && replaced.error.isEmpty, "\(replaced)")
    #expect(try it.read("a") == "three")
    #expect(try it.sealed().count == 1)
  }

  @Test func `another host's form, and another user's, do not open`() throws {
    let it = try SealedHost()
    let other = try SealedHost()
    try it.add("a", "one")
    try other.add("a", "two")
    try other.overwrite(try form(other, "a"), with: try form(it, "a").secret)
    try expectRefused(other, "a")
    // The same keyring, in the hands of root, who is another user to whorld.
    let theirs = try it.host.whorl(
      ["read", "a"], user: nil, prefix: it.environment, seconds: 60)
    #expect(theirs.status == 44, "\(theirs)")
  }

  @Test func `a form that somebody deleted is an error of its own, never an empty secret`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    try it.it.client("delete", try form(it, "a").path)
    let result = try it.whorl("read", "a")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(
      result.error.contains("\"a\": your keyring does not have it any more\nSomebody deleted it"),
      "\(result)")
    #expect(try it.whorl("show", "a").status == 0)
    #expect(try it.whorl("update", "a", input: "two").status == 0)
    #expect(try it.read("a") == "two")
  }

  @Test func `a program with more rights than its caller leaves the caller's keyring alone`() throws
  {
    let it = try SealedHost()
    let path = it.host.folder + "/whorl-setgid"
    try it.host.copy(it.host.command, path)
    chmod(path, 0o2755)
    let result = try it.host.run(
      it.environment + [path, "add", "a", "--store", "secret-service"], input: "x",
      user: PrivateHost.games)
    #expect(result.status == 1)
    #expect(result.error.contains("more rights than its caller"), "\(result)")
  }

  @Test func `a backup has sealed items, an import leaves them, and run is given them`() throws {
    let it = try SealedHost()
    try it.add("mail/alice", "one")
    let imported = try it.it.importing(["--access", "none"])
    #expect(imported.status == 0, "\(imported)")
    #expect(try it.rows().count == 1)
    let run = try it.whorl(
      "run", "--with", "mail/alice=SECRET", "--", "/bin/sh", "-c", "printf %s \"$SECRET\"")
    #expect(run.output == "one", "\(run)")
    let folder = it.host.folder + "/backups"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    chown(folder, PrivateHost.games, PrivateHost.games)
    let written = try it.whorl("export", folder + "/backup", input: "pass phrase\n")
    #expect(written.status == 0, "\(written)")
    #expect(try it.whorl("rm", "mail/alice").status == 0)
    let restored = try it.whorl("import", "backup", folder + "/backup", input: "pass phrase\n")
    #expect(restored.status == 0, "\(restored)")
    #expect(try it.read("mail/alice") == "one")
  }
}
