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

  @Test func `only a backup goes to a store that is said`() throws {
    for source in [["csv", file], ["secret-service"]] {
      let result = try it.host.whorl(
        ["import"] + source + ["--store", "default"], prefix: it.environment)
      #expect(result.status == 206 && result.error.contains("for backup only"), "\(result)")
    }
  }
}
