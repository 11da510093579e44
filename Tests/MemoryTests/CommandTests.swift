import Foundation
import Glibc
import TestHost
import Testing

/// `whorl` holds secrets in locked memory alone, and gives passwords away at once.
@Suite(.serialized) struct CommandTests {
  let memory: MemoryHost

  init() throws {
    memory = try MemoryHost()
  }

  /// The process of `whorl` that a shell started.
  private func command(below shell: Terminal) throws -> pid_t {
    var found: pid_t?
    try memory.host.wait("whorl") {
      let path = "/proc/\(shell.pid)/task/\(shell.pid)/children"
      let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      found = children.split(separator: " ").compactMap { pid_t($0) }.first {
        (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == "whorl\n"
      }
      return found != nil
    }
    return found!
  }

  @Test func `a secret that is read lies in locked memory until it is written`() throws {
    try memory.add("token", 1 << 20, access: "none")
    // The pipe takes only a part.
    let shell = try memory.host.terminal(program: [
      "/bin/sh", "-c", "\(memory.host.command) read token | /bin/sleep 30; :",
    ])
    let whorl = try command(below: shell)
    try memory.host.wait("the secret") {
      try !MemoryScan(pid: whorl).hits([memory.secret]).isEmpty
    }
    try memory.expectOnlyLocked([memory.secret], in: whorl)
  }

  @Test(arguments: [16, 4096, 1 << 20])
  func `a secret from the standard input lies in locked memory until it is stored`(
    count: Int
  ) throws {
    try memory.writeInput(count)
    let daemon = memory.daemon
    kill(daemon, SIGSTOP)
    defer { kill(daemon, SIGCONT) }
    let add = try memory.command("add token")
    try memory.host.wait("the secret") {
      try !MemoryScan(pid: add.pid).hits([memory.secret]).isEmpty
    }
    try memory.waitUntilIdle(add.pid)
    try memory.expectOnlyLocked([memory.secret], in: add.pid)
  }

  @Test func `a secret and a password that are typed lie in locked memory`() throws {
    let daemon = memory.daemon
    defer { kill(daemon, SIGCONT) }
    let add = try memory.host.terminal(["add", "--application-password", "token"])
    // Whether there is such an item already is asked before the person is.
    try add.expect("Secret of ")
    kill(daemon, SIGSTOP)
    for (name, needle) in [
      ("\"token\"", memory.secret), ("Password of the item itself", memory.itemPassword),
    ] {
      try add.expect("\(name): ")
      add.type(needle.secret(16) + "\n")
      try add.expect("The same again: ")
      add.type(needle.secret(16) + "\n")
    }
    try memory.host.wait("both") {
      Set(try MemoryScan(pid: add.pid).hits(memory.all).map(\.needle.name)).count == 2
    }
    try memory.waitUntilIdle(add.pid)
    try memory.expectOnlyLocked([memory.secret, memory.itemPassword], in: add.pid)
  }

  @Test func `nothing stays of a wrong password while it asks again`() throws {
    try memory.add("token")
    try memory.writeInput(16)
    let read = try memory.command("read token")
    try read.expect(MemoryHost.passwordQuestion)
    read.type(memory.guess.secret(16) + "\n")
    try read.expect("Wrong password.")
    try memory.expectGone(from: read.pid)
  }

  @Test func `a program that is run has the secrets in its environment alone`() throws {
    try memory.add("token", 4096, access: "none")
    try memory.writeInput(16)
    let run = try memory.command("run --with token -- /bin/sleep 30")
    try memory.host.wait("the program") {
      (try? String(contentsOfFile: "/proc/\(run.pid)/comm", encoding: .utf8)) == "sleep\n"
    }
    let hits = try MemoryScan(pid: run.pid).hits([memory.secret])
    #expect(!hits.isEmpty && hits.allSatisfy { $0.mapping.hasSuffix("[stack]") }, "\(hits)")
  }

  @Test func `nothing stays in the desktop's helper of a password that it passed on`() throws {
    let memory = try MemoryHost()
    try memory.slowPasscodeService()
    try memory.add("token", access: "devicePasscode")
    let folder = memory.host.folder
    let helper = "\(folder)/whorl-prompt"
    try memory.host.installHelper("whorl-prompt")
    try """
    #!/bin/sh
    echo OK
    while read line; do
      case $line in GETPIN) echo 'D \(memory.password.secret(16))'; echo OK;; *) echo OK;; esac
    done

    """.write(toFile: "\(folder)/pinentry", atomically: true, encoding: .utf8)
    chmod("\(folder)/pinentry", 0o755)
    let reading = try Child(
      [memory.host.command, "read", "token"],
      environment: [
        "PATH": "\(folder):/usr/bin:/bin", "WHORL_SOCKET": memory.host.socket, "DISPLAY": ":none",
      ], user: PrivateHost.games)
    func process(_ executable: String) -> pid_t? {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap {
        pid_t($0)
      }.first { pid in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"))
          == executable
      }
    }
    // The password is on its way through PAM, and takes long there.
    try memory.host.wait("the check") { process("/usr/bin/sleep") != nil }
    let prompt = try #require(process(helper))
    try memory.waitUntilIdle(prompt)
    try memory.expectGone(from: prompt, "the helper")
    try memory.expectGone(from: reading.pid, "the client")
  }
}
