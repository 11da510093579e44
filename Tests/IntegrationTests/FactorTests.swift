import Glibc
import TestHost
import Testing

@Suite(.serialized) final class FactorTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
  }

  private func addLocked(_ name: String, _ access: String) throws {
    let add = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "printf hunter2 | \(host.command) add --access '\(access)' --application-password \(name)",
      ])
    try add.expect("Password of the item itself: ")
    add.type("open says me\n")
    try add.expect("The same again: ")
    add.type("open says me\n")
    #expect(try add.status() == 0, "\(add.output)")
  }

  @Test func `an application password opens, and a wrong one does not`() throws {
    try addLocked("vault", "none")
    let right = try host.reading("vault", "Type the password of the item itself: ")
    right.type("open says me\n")
    #expect(try right.status() == 0, "\(right.output)")
    #expect(right.output.contains("hunter2"))
    let wrong = try host.reading("vault", "Type the password of the item itself: ")
    wrong.type("sesame\n")
    try wrong.expect("Wrong password of the item.")
    try wrong.expect("Type the password of the item itself: ")
    wrong.type("open says me\n")
    #expect(try wrong.status() == 0, "\(wrong.output)")
    #expect(try host.whorl(["read", "vault"]).status == 36)
    let log = try host.whorl(["log"]).output
    #expect(
      log.components(separatedBy: "by the item's password: it was wrong").count == 2, "\(log)")
  }

  @Test func `with a finger and an application password both are asked for, in turn`() throws {
    try addLocked("vault", "biometryAny")
    let read = try host.reading("vault", PrivateHost.touch)
    try host.scan("alice")
    try read.expect("Type the password of the item itself: ")
    read.type("open says me\n")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test func `a finger and a password, both`() throws {
    try host.add("both", access: "biometryAny & devicePasscode")
    let read = try host.terminal(["read", "both"])
    try read.expect("Touch")
    try host.scan("alice")
    try read.expect("Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
  }

  @Test func `several items are one request and one act`() throws {
    try host.add("a", "one")
    try host.add("b", "two")
    let read = try host.terminal(["read", "a", "b"])
    try read.expect("asks for 2 items at once:\n  \"a\"\n  \"b\"\n")
    try read.expect(PrivateHost.touchOrType)
    try host.scan("alice")
    #expect(try read.status() == 0)
    #expect(read.output.contains("one\ntwo\n"))
  }

  @Test func `run gives a program its secrets and takes its status`() throws {
    try host.add("a", "one")
    try host.add("b", "two")
    let program = try host.terminal(
      ["run", "--with", "a,b=OTHER", "--", "/bin/sh", "-c", "echo $A-$OTHER; exit 7"])
    try program.expect(PrivateHost.touchOrType)
    program.type("sesame\n")
    try program.expect("one-two\n")
    #expect(try program.status() == 7)
  }

  @Test func `run passes signals on`() throws {
    try host.add("a", "one", access: "none")
    let program = try host.terminal(
      [
        "run", "--with", "a", "--", "/bin/sh", "-c",
        "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done",
      ])
    try program.expect("ready")
    kill(program.pid, SIGTERM)
    #expect(try program.status() == 9)
  }

  @Test func `an item that allows reuse opens again on the same terminal, and nowhere else`() throws
  {
    try host.add("again", "one", ["--reuse", "300"])
    try host.add("once", "two")
    let shell = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "\(host.command) read again; echo; \(host.command) read again; \(host.command) read once",
      ])
    try shell.expect("This also serves later requests for 300 seconds.")
    try shell.expect(PrivateHost.touchOrType)
    shell.type("sesame\n")
    try shell.expect("one")
    try shell.expect("one")
    try shell.expect("asks for \"once\"")
    try shell.expect(PrivateHost.touchOrType)
    shell.interrupt()
    _ = try shell.status()
    let elsewhere = try host.reading("again")
    elsewhere.interrupt()
    #expect(try elsewhere.status() == 128)
  }
}
