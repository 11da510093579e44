import AccessControl
import Foundation
import Glibc
import SecretMemory
import TestHost
import Testing
import WhorlKit
import Wire

/// Auth contexts of a program against the daemon itself. The program is this one, so the items are
/// root's.
@Suite(.serialized) final class DaemonContextTests {
  let host: PrivateHost
  let person: Person
  let keychain: Keychain

  init() throws {
    host = try PrivateHost()
    try host.startAll(["rearm-delay = 100"])
    try host.addSession("c0", user: 0, name: "root")
    try host.announce("SessionNew", session: "c0")
    try host.enroll("alice", user: "root")
    person = try Person(typing: "toor")
    keychain = Keychain(
      transport: SocketTransport(path: Array(host.socket.utf8), trustsAnyServer: false),
      prompter: person, groups: [Array("whorl".utf8)])
    for (name, access, options) in [
      ("token", "userPresence", []), ("password", "devicePasscode", []),
      ("finger", "biometryAny", []), ("bound", "biometryCurrentSet", []), ("open", "none", []),
      ("again", "devicePasscode", ["--reuse", "300"]),
    ] {
      let added = try host.whorl(
        ["add", name, "--access", access] + options, input: "hunter2", user: nil)
      #expect(added.status == 0, "\(added.error)")
    }
  }

  private func item(_ name: String) -> ItemIdentity {
    ItemIdentity(group: Array("whorl".utf8), service: [], account: Array(name.utf8))
  }

  /// The error's code, nil when the item was read.
  private func read(
    _ name: String, _ context: AuthContext? = nil, reuse: UInt32 = 0
  ) throws -> FailureCode? {
    let (keychain, item) = (keychain, item(name))
    return try host.blocking {
      do throws(KeychainError) {
        let secret = try keychain.read(
          item, options: RequestOptions(reuse: reuse), context: context)
        return secret.count == 7 ? nil : .corrupted
      } catch { return error.code }
    }
  }

  private func asks(_ name: String, _ context: AuthContext? = nil, reuse: UInt32 = 0) throws -> Bool
  {
    let before = person.prompts
    #expect(try read(name, context, reuse: reuse) == nil)
    return person.prompts > before
  }

  private func lock(_ isLocked: Bool) throws {
    if isLocked { try host.lockSession("c0", true) } else { try host.unlockSession("c0") }
    try host.wait("the lock") {
      try host.whorl(["read", "open"], user: nil).status == (isLocked ? 36 : 0)
    }
  }

  @Test func `what was proven in a context serves it alone`() throws {
    let context = try AuthContext(keychain: keychain)
    #expect(try asks("token", context))
    #expect(try !asks("token", context))
    #expect(try !asks("password", context))
    // Another context has the same number, on another connection.
    let other = try AuthContext(keychain: keychain)
    person.type(nil)
    #expect(try read("token", other) == .cancelled)
    #expect(try read("token") == .cancelled)
    #expect(try read("finger", context) == .cancelled)
    #expect(try read("token", context) == nil)
  }

  @Test func `a context that was invalidated serves nothing, and nobody else serves for it`() throws
  {
    let context = try AuthContext(keychain: keychain)
    #expect(try asks("token", context))
    context.invalidate()
    #expect(try read("token", context) == .invalidContext)
    let other = try AuthContext(keychain: keychain)
    #expect(try asks("token", other))
    #expect(try read("token", context) == .invalidContext)
  }

  @Test func `the evidence of a context ends with its connection and with the daemon`() throws {
    do {
      let context = try AuthContext(keychain: keychain)
      #expect(try asks("token", context))
    }
    let context = try AuthContext(keychain: keychain)
    #expect(try asks("token", context))
    try host.restartDaemon()
    try host.wait("root's session") { try host.whorl(["read", "open"], user: nil).status == 0 }
    #expect(try asks("token", context))
    #expect(try !asks("token", context))
  }

  @Test(arguments: ScopeEnd.allCases)
  func `lock, suspend, no logind and a new generation end a context's evidence and its reuse`(
    end: ScopeEnd
  ) throws {
    let context = try AuthContext(keychain: keychain)
    context.reuse = 300
    #expect(try asks("again", context))
    #expect(try !asks("password", context))
    #expect(try !asks("again", reuse: 300))
    switch end {
    case .lock:
      try lock(true)
      try lock(false)
    case .lockCommand:
      #expect(try host.whorl(["lock"], user: nil).status == 0)
      try lock(false)
    case .suspend:
      try host.announceSleep(true)
      try host.wait("the sleep") { try host.inhibitors() == 0 }
      try host.announceSleep(false)
      try host.wait("the end of it") { try host.inhibitors() == 1 }
    case .sessionServiceGone:
      host.stop("logind")
      try host.wait("the loss") { try host.whorl(["read", "open"], user: nil).status == 36 }
      try host.startLogind()
      try host.addSession("c0", user: 0, name: "root")
      try host.announce("SessionNew", session: "c0")
      try host.wait("the session") { try host.whorl(["read", "open"], user: nil).status == 0 }
    case .newGeneration:
      try host.enroll("bob", finger: "left-thumb", user: "root")
      #expect(try read("bound") == .invalidated)
    }
    #expect(try asks("password", context))
    #expect(try asks("again", reuse: 300))
  }

  enum ScopeEnd: CaseIterable {
    case lock, lockCommand, suspend, sessionServiceGone, newGeneration
  }

  @Test func `reuse lasts as long as was asked for, and only for items that allow it`() throws {
    let context = try AuthContext(keychain: keychain)
    context.reuse = 3
    #expect(try asks("again", context))
    #expect(try !asks("again", reuse: 300))
    #expect(try asks("password", reuse: 300))
    // The last prompt was for an item without reuse, and prolonged nothing.
    usleep(3_100_000)
    #expect(try asks("again", reuse: 300))
    // What the context itself holds is not bounded by that.
    #expect(try !asks("again", context))
  }

  @Test func `under sudo a program has root's items, and is told so`() throws {
    try host.add("mine", access: "none")
    let sudo = ["/usr/bin/env", "SUDO_UID=\(PrivateHost.games)", "SUDO_USER=games"]
    let note = "whorl: note: under sudo, these are root's items, not yours\n"
    let list = try host.whorl(["list"], user: nil, prefix: sudo)
    #expect(list.status == 0 && list.error == note, "\(list.error)")
    #expect(list.output.contains("token") && !list.output.contains("mine"))
    let open = try host.whorl(["read", "open"], user: nil, prefix: sudo)
    #expect(open.output == "hunter2" && open.error == note)
    #expect(try host.whorl(["read", "mine"], user: nil, prefix: sudo).status == 44)
    // Nobody but root is told, and the variable names nobody's items.
    let own = try host.whorl(["list"], prefix: ["/usr/bin/env", "SUDO_UID=0"])
    #expect(own.error.isEmpty && own.output.contains("mine") && !own.output.contains("token"))
  }
}
