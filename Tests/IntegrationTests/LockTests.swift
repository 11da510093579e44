import TestHost
import Testing

@Suite(.serialized) final class LockTests {
  @Test func `lock locks until the desktop unlocks`() throws {
    let host = try PrivateHost.complete()
    #expect(try host.whorl(["lock"]).status == 0)
    #expect(try host.whorl(["status"]).output.contains("session      locked"))
    try host.unlockSession("c1")
    try host.wait("the unlock") { try host.whorl(["status"]).output.contains("unlocked") }
  }

  @Test func `lock fails where nothing would unlock, and ends what was kept`() throws {
    let host = try PrivateHost()
    try host.startDaemon(["without-logind = allow"])
    try host.add("again", "one", access: "devicePasscode", ["--reuse", "300"])
    let command = host.command
    let shell = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "\(command) read again; \(command) read again; \(command) lock; echo status $?; "
          + "\(command) read again",
      ])
    try shell.expect("Type your password: ")
    shell.type("sesame\n")
    try shell.expect("one\n")
    try shell.expect("one\n")
    try shell.expect("whorl: nothing was locked: you have no login session")
    try shell.expect("status 1\n")
    try shell.expect("Type your password: ")
    shell.interrupt()
    #expect(try host.whorl(["log"]).output.contains("lock "))
  }
}
