import Foundation
import Glibc
import TestHost
import Testing

/// A host whose secret and passwords stand nowhere by chance.
final class MemoryHost {
  static let passwordQuestion = "Type your password: "
  static let itemQuestion = "Type the password of the item itself: "

  let host: PrivateHost
  let secret = Needle("the secret")
  let password = Needle("the password")
  let guess = Needle("a wrong password")
  let itemPassword = Needle("the item's password")

  var all: [Needle] { [secret, password, guess, itemPassword] }

  /// - Parameter lines: more of the daemon's configuration.
  init(_ lines: [String] = []) throws {
    host = try PrivateHost()
    try ["games", "root"].map { "\($0):\(password.secret(16)):whorl-passcode\n" }.joined().write(
      toFile: "\(host.folder)/passdb", atomically: true, encoding: .utf8)
    try host.startDaemon(["without-logind = allow"] + lines)
  }

  var daemon: pid_t { host.pid("whorld") ?? 0 }

  /// The account's password is right, and the answer takes long.
  func slowPasscodeService() throws {
    try host.passcodeService(
      """
      auth required \(PrivateHost.matrix) passdb=\(host.folder)/passdb
      auth required pam_exec.so quiet /bin/sleep 30
      """)
  }

  /// - Parameter access: nil for the usual, a finger or a password.
  func add(_ name: String, _ count: Int = 16, access: String? = nil) throws {
    let access = access.map { ["--access", $0] } ?? []
    let result = try host.whorl(["add", name] + access, input: secret.secret(count))
    #expect(result.status == 0, "\(result.error)")
  }

  /// Adds an item with a password of its own.
  func addLocked(_ name: String) throws {
    let add = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "\(host.command) add --access none --application-password \(name) <\(host.folder)/input",
      ])
    try add.expect("Password of the item itself: ")
    add.type(itemPassword.secret(16) + "\n")
    try add.expect("The same again: ")
    add.type(itemPassword.secret(16) + "\n")
    #expect(try add.status() == 0, "\(add.output)")
  }

  /// What the shell commands of the tests read from.
  func writeInput(_ count: Int) throws {
    try secret.secret(count).write(
      toFile: "\(host.folder)/input", atomically: false, encoding: .utf8)
    chmod("\(host.folder)/input", 0o644)
  }

  /// `whorl` on a terminal, its output in a file.
  func command(_ words: String) throws -> Terminal {
    try host.terminal(program: [
      "/bin/sh", "-c", "exec \(host.command) \(words) <\(host.folder)/input >/dev/null",
    ])
  }

  /// Waits until the process sleeps.
  func waitUntilIdle(_ pid: pid_t) throws {
    try host.wait("\(pid) to sleep") {
      try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).contains(") S ")
    }
  }

  /// No needle is in the process 100 ms after `start`.
  func expectGone(
    from pid: pid_t, since start: ContinuousClock.Instant = .now, _ what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scan = MemoryScan(pid: pid)
    let limit = start + .milliseconds(100)
    while true {
      let isLast = ContinuousClock.now >= limit
      let hits = try scan.hits(all)
      if hits.isEmpty { return }
      guard !isLast else {
        Issue.record("\(what): \(hits.prefix(8))", sourceLocation: sourceLocation)
        return
      }
    }
  }

  /// Each needle is in the process, and nowhere but in memory that is locked and not dumped.
  func expectOnlyLocked(
    _ needles: [Needle], in pid: pid_t, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scan = MemoryScan(pid: pid)
    let locked = try scan.lockedMappings()
    let hits = try scan.hits(needles)
    for needle in needles {
      #expect(
        hits.contains { $0.needle.bytes == needle.bytes }, "no \(needle.name)",
        sourceLocation: sourceLocation)
    }
    let outside = hits.filter { hit in !locked.contains { $0.contains(hit.address) } }
    #expect(outside.isEmpty, "\(outside.prefix(8))", sourceLocation: sourceLocation)
  }
}
