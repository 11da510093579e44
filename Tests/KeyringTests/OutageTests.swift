import Foundation
import Glibc
import TestHost
import Testing

/// A keyring that is not as it should be: each its own answer, in time, and nothing lost.
@Suite(.serialized) final class OutageTests {
  @Test func `a locked keyring is told, with the way out`() throws {
    let it = try KeyringHost()
    try it.client("fill", "3", "default")
    try it.client("lock")
    let started = Date()
    for options in [["--no-interaction"], []] {
      let result = try it.importing(options)
      #expect(result.error.contains("the keyring is locked\nUnlock it"), "\(result)")
      #expect(result.status != 0)
    }
    #expect(Date().timeIntervalSince(started) < 20)
    #expect(try it.rows().isEmpty)
    let dry = try it.importing(["--dry-run"])
    #expect(dry.error.contains("3 items are locked; they may get other names"), "\(dry)")
    let one = try it.importing(["--dry-run", "--attribute", "account=user1"])
    #expect(one.error.contains("1 item is locked; it may get another name"), "\(one)")
  }

  @Test func `a keyring that the person unlocks is imported, one that they do not is not`() throws {
    let it = try KeyringHost()
    try it.client("fill", "3", "default")
    let dump = try it.client("dump")
    try it.client("lock")
    let absent = try it.person(typing: [])
    let refused = try it.importing(["--access", "none"])
    #expect(refused.error.contains("the keyring is locked") && refused.status != 0, "\(refused)")
    #expect(absent.lines.count == 2 && absent.lines[1].hasPrefix("password"))
    absent.child.end()
    let person = try it.person(typing: ["wrong", "sesame"])
    let result = try it.importing(["--access", "none"])
    #expect(result.output == "3 imported\n", "\(result)")
    // Told that the first was wrong.
    #expect(person.lines.count == 3 && person.lines[2].count > "password ".count, "\(person.lines)")
    try it.expectAll(dump, access: "none")
  }

  @Test func `no bus, and a bus without a keyring`() throws {
    let it = try KeyringHost(isEmpty: true)
    let result = try it.importing()
    #expect(result.error.contains("no keyring is on the session bus"), "\(result)")
    let none = try it.host.whorl(["import", "secret-service"])
    #expect(none.error.contains("there is no session bus"), "\(none)")
    let gone = try it.host.whorl(
      ["import", "secret-service"],
      prefix: ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere/bus"])
    #expect(gone.error.contains("there is no session bus"), "\(gone)")
    for status in [result, none, gone].map(\.status) { #expect(status != 0) }
  }

  @Test func `a keyring that hangs is given up`() throws {
    let it = try KeyringHost()
    it.keyring.stopDaemon(signal: SIGSTOP)
    let started = Date()
    let result = try it.importing()
    #expect(result.error.contains("the keyring does not answer"), "\(result)")
    #expect(result.status != 0)
    #expect(Date().timeIntervalSince(started) < 25)
  }

  @Test func `a keyring that dies in the middle ends the import, and the next goes on`() throws {
    let it = try KeyringHost()
    try it.client("fill", "80", "default")
    let dump = try it.client("dump")
    let terminal = try it.host.terminal(
      program: it.keyring.environment + [
        it.host.command, "import", "secret-service", "--access", "none",
      ])
    try terminal.expect("16 of 80")
    it.keyring.stopDaemon(signal: SIGKILL)
    #expect(try terminal.status(seconds: 30) != 0)
    // In the middle of a call it is gone; between two calls there is none on the bus.
    let answers = ["the keyring went away", "no keyring is on the session bus"]
    #expect(answers.contains(where: terminal.output.contains), "\(terminal.output)")
    try it.keyring.startDaemon()
    #expect(try it.importing(["--access", "none"]).status == 0)
    try it.expectAll(dump, access: "none")
  }

  @Test func `without the daemon nothing is deleted`() throws {
    let it = try KeyringHost()
    try it.client("fill", "3", "default")
    it.host.stop("whorld")
    #expect(try it.importing(["--move"]).status != 0)
    #expect(try it.client("dump").items.count == 3)
  }
}
