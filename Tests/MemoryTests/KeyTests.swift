import AccessControl
import Crypto
import Daemon
import SecretMemory
import TestHost
import Testing
import Wire

@testable import Vault

/// Keys lie in locked memory alone, and those of one item only while it is opened.
@Suite(.serialized) struct KeyTests {
  /// The keys of the tests' user, derived from the files of a host as its daemon does.
  private struct Keys {
    var kept: [Needle] = []
    var passing: [Needle] = []

    init(_ host: PrivateHost, item: String) throws {
      let owner = Owner(user: PrivateHost.games, name: Array("games".utf8))
      let source = try FileKeySource(folder: host.state)
      let storage = try FileVaultStorage(
        folder: host.state, runtime: "\(host.folder)/runtime", quota: .max)
      keep("host key", source.hostKey)
      keep("shred key", source.shredKey)
      let ownerKey = try Sealing.derive(source.hostKey, "whorl owner", owner.encoded)
      pass("owner key", ownerKey)
      let userKey = try Sealing.open(
        try #require(try storage.userKey(of: owner)), source.hostKey,
        Array("whorl user key".utf8) + owner.encoded)
      pass("user key", userKey)
      keep("root key", try Sealing.combine(ownerKey, "whorl user", userKey))
      let classKey = try ItemKeys(host: source.hostKey, owner: owner, userKey: userKey)
        .unboundKey(.whenUnlocked)
      keep("key of the class", classKey)
      let identity = RawClient.identity(item).encoded
      let sealed = try SealedItem(
        try #require(try storage.items(of: owner).item(identity)).sealed)
      let data = sealed.header.associatedData(owner, identity)
      pass(
        "item key",
        try Sealing.open(
          try #require(sealed.wrap(.unbound)), classKey,
          SealedItem.associatedData(data, of: .unbound)))
    }

    private mutating func keep(_ name: String, _ key: SecretBytes) {
      kept += Self.needles(name, key)
    }

    private mutating func pass(_ name: String, _ key: SecretBytes) {
      passing += Self.needles(name, key)
    }

    private static func needles(_ name: String, _ key: SecretBytes) -> [Needle] {
      Needle.key(name, key.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    }
  }

  @Test func `keys are in locked memory, and an item's own key is gone after its use`() throws {
    let memory = try MemoryHost()
    try memory.add("token", 4096, access: "none")
    for _ in 0..<3 {
      #expect(try memory.host.whorl(["read", "token"]).output == memory.secret.secret(4096))
    }
    let keys = try Keys(memory.host, item: "token")
    let scan = MemoryScan(pid: memory.daemon)
    #expect(try scan.hits(keys.passing).isEmpty)
    try memory.expectOnlyLocked(keys.kept, in: memory.daemon)
    // After a start the keys come from their files.
    try memory.host.restartDaemon()
    #expect(try memory.host.whorl(["read", "token"]).status == 0)
    #expect(try MemoryScan(pid: memory.daemon).hits(keys.passing).isEmpty)
    try memory.expectOnlyLocked(keys.kept, in: memory.daemon)
  }
}
