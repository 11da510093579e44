import Foundation
import TestHost
import Testing

/// Backups of items in the user's own keyring.
@Suite(.serialized) final class SealedBackupTests {
  private let it: SealedHost
  private let file: String

  init() throws {
    it = try SealedHost()
    let folder = it.host.folder + "/files"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result = try it.host.run(["/bin/chown", "\(PrivateHost.games)", folder])
    try #require(result.status == 0, "\(result)")
    file = folder + "/backup"
    try it.add("kept", "one")
    try it.host.add("own", "two", access: "none")
    let export = try it.whorl("export", file, input: "pass phrase")
    #expect(export.output == "2 written\n", "\(export)")
    for name in ["kept", "own"] { #expect(try it.whorl("rm", name).status == 0) }
    #expect(try it.sealed().isEmpty)
  }

  private func restore(_ options: String..., keyring: Bool = true) throws -> CommandResult {
    try it.host.whorl(
      ["import", "backup", file] + options, input: "pass phrase",
      prefix: keyring ? it.environment : [], seconds: 60)
  }

  private func stores() throws -> [String: String] {
    let rows = try it.rows()
    #expect(!rows.contains { !$0.placed })
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.store) })
  }

  @Test func `an item comes back to where it was`() throws {
    #expect(try restore().output == "2 imported\n")
    #expect(try stores() == ["kept": "secret-service", "own": "default"])
    #expect(try it.sealed().count == 1)
    #expect(try it.read("kept") == "one")
    #expect(try it.read("own") == "two")
    #expect(try restore("--store", "default", "--replace").output == "2 imported\n")
    #expect(try stores() == ["kept": "default", "own": "default"])
    #expect(try restore("--replace").output == "2 imported\n")
    #expect(try stores() == ["kept": "secret-service", "own": "default"])
    #expect(try it.read("kept") == "one")
  }

  @Test func `without the keyring nothing is restored, unless it is not wanted`() throws {
    let none = try restore(keyring: false)
    #expect(none.status == 1, "\(none)")
    #expect(none.error.contains("no session bus to reach your keyring by; nothing was restored"))
    #expect(none.error.contains("“whorl import backup --store default \(file)”"))
    try it.it.client("lock")
    let locked = try restore("--no-interaction")
    #expect(locked.status == 36 && locked.error.contains("your keyring is locked"), "\(locked)")
    #expect(try it.rows().isEmpty)
    #expect(try restore("--store", "default", keyring: false).output == "2 imported\n")
    #expect(try stores() == ["kept": "default", "own": "default"])
    // What is there stays, so that no keyring is needed.
    #expect(try restore(keyring: false).output == "0 imported, 2 there already\n")
  }

  @Test func `what replaces an item stays in its store, and needs the keyring for it`() throws {
    // Of the first version, which says nothing of stores.
    let vector = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../TransferTests/Vectors/backup-1").path
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.copyItem(atPath: vector, toPath: file)
    try it.add("ключ", "here")
    func restore(_ prefix: [String]) throws -> CommandResult {
      try it.host.whorl(
        ["import", "backup", file, "--replace"], input: "correct horse ❤", prefix: prefix,
        seconds: 60)
    }
    let none = try restore([])
    #expect(none.status == 1 && none.error.contains("; nothing was restored"), "\(none)")
    #expect(try it.read("ключ") == "here")
    #expect(try stores() == ["ключ": "secret-service"])
    let all = try restore(it.environment)
    #expect(all.output.contains("imported"), "\(all)")
    #expect(try stores()["ключ"] == "secret-service")
    #expect(try it.sealed().count == 1)
    #expect(try it.whorl("read", "ключ").output != "here")
  }

  @Test func `only a backup goes to a store that is said`() throws {
    for source in [["csv", file], ["secret-service"]] {
      let result = try it.host.whorl(
        ["import"] + source + ["--store", "default"], prefix: it.environment)
      #expect(result.status == 206 && result.error.contains("for backup only"), "\(result)")
    }
  }
}
