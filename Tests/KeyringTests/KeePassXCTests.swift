import TestHost
import Testing

/// Another keyring than GNOME's: KeePassXC's Secret Service.
@Suite(.serialized) struct KeePassXCTests {
  @Test func `its entries come over, and go there where that is wanted`() throws {
    let it = try KeyringHost(isEmpty: true)
    let keyring = try KeePassXC(
      it,
      entries: [
        KeePassXC.Entry(title: "Mail", user: "alice", url: "https://mail", password: "hunter2"),
        KeePassXC.Entry(title: "Ünï", user: "", url: "", password: "zwei €"),
      ])
    let dump = try it.client("dump")
    #expect(dump.items.count == 2)
    let result = try it.importing(["--access", "none"])
    #expect(result.status == 0 && result.output == "2 imported\n", "\(result)")
    try it.expectAll(dump, access: "none")
    try it.expectSecrets(dump)
    #expect(try it.host.whorl(["lookup", "UserName", "alice"]).output == "hunter2")
    let moved = try it.importing(["--access", "none", "--move"])
    #expect(
      moved.status == 0 && moved.output == "0 imported, 2 there already, 2 originals deleted\n",
      "\(moved)")
    #expect(try it.client("paths").paths.isEmpty)
    withExtendedLifetime(keyring) {}
  }

  @Test func `it keeps sealed items, which are read, changed, moved and deleted`() throws {
    let it = try SealedHost(isEmpty: true)
    let keyring = try KeePassXC(it.it)
    try it.add("mail/alice", "hunter2", "--label", "Mail", "--attr", "color=blue")
    try it.add("large", String(repeating: "0123456789abcdef", count: 4096))
    #expect(try it.read("mail/alice") == "hunter2")
    #expect(try it.sealed().count == 2)
    #expect(try it.whorl("update", "mail/alice", input: "two").error == "")
    #expect(try it.read("mail/alice") == "two")
    #expect(try it.read("large").utf8.count == 65536)
    #expect(try it.sealed().count == 2)
    #expect(try it.whorl("update", "large", "--store", "default").status == 0)
    #expect(try it.sealed().map(\.label) == ["Mail (sealed by Whorl)"])
    #expect(try it.whorl("rm", "mail/alice").status == 0)
    #expect(try it.sealed().isEmpty)
    withExtendedLifetime(keyring) {}
  }
}
