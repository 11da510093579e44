import Foundation
import Glibc
import TestHost
import Testing

/// A keyring that is not as it should be, under items that are kept in it: each its own answer, in
/// time, and nothing lost.
@Suite(.serialized) final class SealedOutageTests {
  /// Seconds in which every answer must be there: two calls of ten seconds each, at the most.
  private static let limit = 30.0

  private func inTime(_ body: () throws -> Void) rethrows {
    let started = Date()
    try body()
    #expect(Date().timeIntervalSince(started) < Self.limit)
  }

  @Test func `a locked keyring is told, with the way out, and nothing is stored`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    try it.it.client("lock")
    try inTime {
      for words in [["read", "a"], ["read", "--no-interaction", "a"]] {
        let result = try it.host.whorl(words, prefix: it.environment, seconds: 60)
        #expect(result.status == 36 && result.output.isEmpty, "\(result)")
        #expect(result.error.contains("your keyring is locked\nUnlock it"), "\(result)")
      }
      let added = try it.whorl(
        "add", "b", "--store", "secret-service", "--access", "none", input: "x")
      #expect(added.status == 36 && added.error.contains("your keyring is locked"), "\(added)")
      #expect(try it.rows().map(\.name) == ["a"])
    }
    let log = try it.whorl("log").output.split(separator: "\n").filter { $0.contains("read") }
    #expect(
      log.count == 2 && log.allSatisfy { $0.hasSuffix(": the session or the keyring is locked") },
      "\(log)")
    // What needs no secret needs no keyring.
    #expect(try it.whorl("show", "a").status == 0)
    it.keyring.stopDaemon(signal: SIGKILL)
    try it.keyring.startDaemon()
    #expect(try it.read("a") == "one")
  }

  @Test
  func `what is written while the keyring is locked stays with whorld until it can be placed`()
    throws
  {
    let it = try SealedHost()
    try it.add("a", "one")
    let old = try #require(try it.sealed().first)
    try it.it.client("lock")
    let updated = try it.whorl("update", "a", input: "two")
    #expect(updated.status == 0)
    #expect(updated.error.contains("whorld keeps it until your keyring does"), "\(updated)")
    #expect(try it.rows().map(\.placed) == [false])
    #expect(try it.whorl("show", "a").output.contains("whorld keeps it until then"))
    // From the service, with the keyring locked or gone.
    #expect(try it.whorl("read", "a").output == "two")
    it.keyring.stopDaemon(signal: SIGKILL)
    #expect(try it.whorl("read", "a").output == "two")
    try it.keyring.startDaemon()
    #expect(try it.read("a") == "two")
    #expect(try it.rows().map(\.placed) == [true])
    let sealed = try it.sealed()
    #expect(sealed.count == 1 && sealed[0].secret != old.secret)
    #expect(try it.read("a") == "two")
  }

  @Test func `what is deleted while the keyring is locked opens no more`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    try it.it.client("lock")
    #expect(try it.whorl("rm", "a").status == 0)
    it.keyring.stopDaemon(signal: SIGKILL)
    try it.keyring.startDaemon()
    #expect(try it.sealed().count == 1)
    #expect(try it.whorl("read", "a").status == 44)
    try it.add("a", "two")
    #expect(try it.read("a") == "two")
    // With the first request that came to the keyring, the deleted one went.
    #expect(try it.sealed().count == 1)
  }

  @Test func `what could not be deleted goes later, also after a restart of the service`() throws {
    let it = try SealedHost()
    for name in ["a", "b", "c"] { try it.add(name, name) }
    try it.it.client("lock")
    #expect(try it.whorl("rm", "a").status == 0)
    #expect(try it.whorl("update", "b", "--store", "default", input: "own").status != 0)
    #expect(try it.whorl("rm", "b").status == 0)
    it.keyring.stopDaemon(signal: SIGKILL)
    // No keyring is there.
    #expect(try it.whorl("list").status == 0)
    try it.host.restartDaemon()
    try it.keyring.startDaemon()
    #expect(try it.sealed().count == 3)
    #expect(try it.read("c") == "c")
    #expect(try it.sealed().count == 1)
    #expect(try it.read("c") == "c")
  }

  @Test func `no bus, and a bus without a keyring`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    it.keyring.stopDaemon(signal: SIGKILL)
    try inTime {
      let empty = try it.whorl("read", "a")
      #expect(empty.status == 1 && empty.output.isEmpty)
      #expect(empty.error.contains("no keyring is on the session bus"), "\(empty)")
      for bus in [[], ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere/bus"]] {
        let none = try it.host.whorl(["read", "a"], prefix: bus, seconds: 60)
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(none.error.contains("there is no session bus to reach your keyring"), "\(none)")
        let added = try it.host.whorl(
          ["add", "b", "--store", "secret-service"], input: "x", prefix: bus, seconds: 60)
        #expect(added.status == 1 && added.error.contains("there is no session bus"), "\(added)")
      }
    }
    #expect(try it.rows().map(\.name) == ["a"])
  }

  @Test func `a keyring that hangs is given up, and one that dies meanwhile is told`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    it.keyring.stopDaemon(signal: SIGSTOP)
    try inTime {
      let result = try it.whorl("read", "a")
      #expect(result.output.isEmpty && result.status != 0)
      #expect(result.error.contains("your keyring does not answer"), "\(result)")
    }
    let waiting = try it.terminal("read", "a")
    try it.host.wait("the call") { it.isAsking }
    it.keyring.stopDaemon(signal: SIGKILL)
    #expect(try waiting.status(seconds: 30) != 0)
    // By then it has asked, or is about to.
    let answers = [
      "your keyring went away in the middle of a call", "no keyring is on the session",
    ]
    #expect(answers.contains { waiting.output.contains($0) }, "\(waiting.output)")
    try it.keyring.startDaemon()
    #expect(try it.read("a") == "one")
  }

  @Test func `a person who gives up ends the call to the keyring`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    it.keyring.stopDaemon(signal: SIGSTOP)
    let waiting = try it.terminal("read", "a")
    try it.host.wait("the call") { it.isAsking }
    waiting.interrupt()
    _ = try waiting.status(seconds: 5)
    try it.host.wait("its end", seconds: 5) { !it.isAsking }
    it.keyring.stopDaemon(signal: SIGCONT)
    #expect(try it.read("a") == "one")
  }

  @Test func `a collection that is deleted underneath`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    try it.it.client("drop")
    let read = try it.whorl("read", "a")
    #expect(read.status == 1 && read.output.isEmpty)
    #expect(read.error.contains("your keyring does not have it any more"), "\(read)")
    let replaced = try it.whorl("add", "--replace", "a", input: "two")
    #expect(replaced.status == 1)
    #expect(replaced.error.contains("no such collection\nMake a default keyring"), "\(replaced)")
    let moved = try it.whorl(
      "add", "--replace", "--store", "default", "--access", "none", "a", input: "two")
    #expect(moved.status == 0, "\(moved)")
    #expect(try it.read("a") == "two")
  }

  @Test func `without the helper nothing is stored, and its lack is told`() throws {
    let it = try SealedHost()
    try it.add("a", "one")
    unlink(it.host.folder + "/whorl-secret-service")
    for words in [["read", "a"], ["add", "b", "--store", "secret-service"]] {
      let result = try it.host.whorl(words, input: "x", prefix: it.environment, seconds: 60)
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.error.contains("whorl-secret-service, which speaks"), "\(result)")
    }
    #expect(try it.rows().map(\.name) == ["a"])
  }
}
