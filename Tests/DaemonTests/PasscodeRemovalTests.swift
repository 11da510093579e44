import AccessControl
import Foundation
import Glibc
import HostAuthentication
import Linux
import TestHost
import Testing
import Vault
import Wire

@testable import Daemon

/// What is known of accounts whose connections outlive a change of their password.
@Suite(.serialized) final class PasscodeRemovalTests {
  private let host: PrivateHost
  private let accounts: AccountDirectory
  private let facts: HostFacts
  private let vault: Vault
  private let shadow: String

  init() throws {
    host = try PrivateHost()
    let folder = host.folder
    for name in ["state", "runtime"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    }
    // What was asked a minute ago is not kept: here, nothing is.
    accounts = AccountDirectory(loop: host.loop, socket: host.workerSocket, lifetime: 0)
    facts = HostFacts(
      accounts: accounts, sessions: SessionDirectory(loop: host.loop, bus: host.bus),
      proofs: PasscodeProofs(folder: "\(folder)/runtime"),
      touches: TouchFailures(folder: "\(folder)/runtime"),
      unlocks: FirstUnlocks(folder: "\(folder)/runtime"),
      configuration: CurrentConfiguration(Configuration()))
    vault = Vault(
      storage: try FileVaultStorage(
        folder: "\(folder)/state", runtime: "\(folder)/runtime", quota: 1 << 20),
      keys: try FileKeySource(folder: "\(folder)/state"),
      enrollment: PrintFolder(folder: host.prints), host: facts)
    shadow = "\(folder)/shadow"
    try "x".write(toFile: shadow, atomically: true, encoding: .utf8)
  }

  private func hasPasscode(_ user: UInt32) -> Bool {
    facts.facts(
      for: Subject(user: user, name: [], process: 1, session: [], terminal: 0)
    ).hasPasscode
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `an account that lost its password while it was connected is known to have none`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let (own, other) = (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
    defer { extendLifetime(other) }
    // Root is connected, and the tests' user has items.
    facts.add(1, try Peer(of: own), Account(uid: 0, name: "root", password: .usable), seen: 0)
    facts.note(Account(uid: Namespace.user, name: Namespace.userName, password: .usable))
    #expect(hasPasscode(0) && hasPasscode(Namespace.user))
    let removal = PasscodeRemoval(
      loop: host.loop, file: shadow, accounts: accounts, host: facts, vault: vault,
      owners: { [Owner(user: Namespace.user, name: Array(Namespace.userName.utf8))] },
      onEnd: { _, _ in })
    defer { extendLifetime(removal) }

    let before = try Data(contentsOf: URL(filePath: "/etc/shadow"))
    defer { try? before.write(to: URL(filePath: "/etc/shadow")) }
    for name in ["root", Namespace.userName] {
      let result = try host.run(["/usr/bin/passwd", "-d", name])
      try #require(result.status == 0, "\(result.error)")
    }
    try "xy".write(toFile: shadow, atomically: true, encoding: .utf8)
    try host.wait("the loss to be known") { !hasPasscode(0) && !hasPasscode(Namespace.user) }

    try before.write(to: URL(filePath: "/etc/shadow"))
    try "xyz".write(toFile: shadow, atomically: true, encoding: .utf8)
    try host.wait("the password to be known") { hasPasscode(Namespace.user) }
  }
}
