import Glibc
import TestHost
import Testing

/// A read as a job of a shell: in the foreground, in the background, stopped and going on.
@Suite(.serialized) final class JobTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token")
  }

  /// A shell with job control on a terminal.
  private func shell() throws -> Terminal {
    let shell = try host.terminal(
      program: ["/bin/bash", "--noprofile", "--norc", "--noediting", "-i"])
    try enter("PS1='$ '", in: shell)
    return shell
  }

  private func enter(_ line: String, in shell: Terminal) throws {
    try shell.expect("$ ")
    shell.type(line + "\n")
  }

  private func waitForDrop() throws {
    try host.wait("the prompt to be dropped") {
      try host.whorl(["log"]).output.contains("nobody answered in time")
    }
  }

  @Test func `in a background group, as under timeout, a read is 36 at once`() throws {
    let shell = try host.terminal(
      program: ["/bin/sh", "-c", "timeout 30 \(host.command) read token; echo status $?"])
    try shell.expect("status 36\n", seconds: 5)
    #expect(shell.output.contains("timeout --foreground"))
    #expect(!shell.output.contains("Touch"))
  }

  @Test func `timeout ends a read that asks in the foreground`() throws {
    let shell = try host.terminal(
      program: ["/bin/sh", "-c", "timeout --foreground 1 \(host.command) read token; echo $?"])
    try shell.expect(PrivateHost.touchOrType)
    try shell.expect("124\n")
  }

  @Test func `a background job of a shell is 36 at once, and typing stays the shell's`() throws {
    let shell = try shell()
    try enter("\(host.command) read token & wait $!; echo status $?", in: shell)
    try shell.expect("status 36\n")
    #expect(!shell.output.contains("Touch"))
  }

  @Test func `a read that was stopped asks anew in the foreground, and shows no password`() throws {
    let shell = try shell()
    try enter("\(host.command) read token", in: shell)
    try shell.expect(PrivateHost.touchOrType)
    shell.type("se\u{1a}")
    try shell.expect("Stopped")
    try waitForDrop()
    try enter("fg", in: shell)
    try shell.expect("asks for \"token\".")
    try shell.expect(PrivateHost.touchOrType)
    shell.type("sesame\n")
    try shell.expect("hunter2")
    try enter("echo status $?", in: shell)
    try shell.expect("status 0\n")
    #expect(!shell.output.contains("sesame"))
  }

  @Test func `a stopped read that goes on in the background is 36`() throws {
    let shell = try shell()
    try enter("\(host.command) read token", in: shell)
    try shell.expect(PrivateHost.touchOrType)
    shell.type("\u{1a}")
    try shell.expect("Stopped")
    try enter("bg; wait; echo over", in: shell)
    try shell.expect("Exit 36")
  }

  @Test func `a stopped read is ended by the shell's kill`() throws {
    let shell = try shell()
    try enter("\(host.command) read token", in: shell)
    try shell.expect(PrivateHost.touchOrType)
    shell.type("\u{1a}")
    try shell.expect("Stopped")
    try enter("kill %1", in: shell)
    try shell.expect("cancelled")
    shell.type("while jobs %1; do sleep 0.1; done; echo over\n")
    try shell.expect("\nover\n")
  }
}
