import AccessControl
import Daemon
import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// The daemon keeps nothing of a secret or a password 100 ms after it was used.
@Suite(.serialized) struct DaemonTests {
  @Test(arguments: [16, 4096, 1_048_576])
  func `nothing stays of a secret that was added, read and updated`(count: Int) throws {
    let memory = try MemoryHost()
    try memory.add("token", count)
    try memory.expectGone(from: memory.daemon, "add")
    try memory.writeInput(count)
    for words in ["read token", "update token", "read token"] {
      let command = try memory.command(words)
      try command.expect(MemoryHost.passwordQuestion)
      command.type(memory.password.secret(16) + "\n")
      #expect(try command.status() == 0, "\(command.output)")
      try memory.expectGone(from: memory.daemon, words)
    }
  }

  @Test func `nothing stays of secrets that a program was run with`() throws {
    let memory = try MemoryHost()
    try memory.add("a", 16)
    try memory.add("b", 4096)
    try memory.writeInput(16)
    let run = try memory.command("run --with a,b -- /bin/sleep 30")
    try run.expect(MemoryHost.passwordQuestion)
    run.type(memory.password.secret(16) + "\n")
    try memory.host.wait("the program") {
      (try? String(contentsOfFile: "/proc/\(run.pid)/comm", encoding: .utf8)) == "sleep\n"
    }
    try memory.expectGone(from: memory.daemon)
  }

  @Test func `nothing stays of a wrong password, nor of what it did not open`() throws {
    let memory = try MemoryHost()
    try memory.add("token")
    try memory.writeInput(16)
    let read = try memory.command("read token")
    try read.expect(MemoryHost.passwordQuestion)
    for _ in 0..<2 {
      read.type(memory.guess.secret(16) + "\n")
      try read.expect("Wrong password.")
      try memory.expectGone(from: memory.daemon, "while it asks again")
    }
    read.type(memory.guess.secret(16) + "\n")
    #expect(try read.status() == 51)
    try memory.expectGone(from: memory.daemon, "failed")
  }

  @Test func `nothing stays of an item's own password`() throws {
    let memory = try MemoryHost()
    try memory.writeInput(16)
    try memory.addLocked("vault")
    try memory.expectGone(from: memory.daemon, "add")
    let read = try memory.command("read vault")
    try read.expect(MemoryHost.itemQuestion)
    read.type(memory.guess.secret(16) + "\n")
    try read.expect("Wrong password of the item.")
    try memory.expectGone(from: memory.daemon, "a wrong one")
    read.type(memory.itemPassword.secret(16) + "\n")
    #expect(try read.status() == 0, "\(read.output)")
    try memory.expectGone(from: memory.daemon, "read")
  }

  @Test func `nothing stays of half a secret whose client died`() throws {
    let memory = try MemoryHost()
    var client: RawClient? = try RawClient(memory.host)
    try client?.send(secret: memory.secret.secret(1 << 20), part: 1 << 19)
    // The daemon has taken what the socket does not hold.
    try memory.host.wait("the daemon to read") {
      try !MemoryScan(pid: memory.daemon).hits([memory.secret]).isEmpty
    }
    try memory.expectOnlyLocked([memory.secret], in: memory.daemon)
    client = nil
    try memory.expectGone(from: memory.daemon)
  }

  @Test func `a secret waits in locked memory for a client that does not read it`() throws {
    let memory = try MemoryHost(["write-limit = 5000"])
    let added = try memory.host.whorl(
      ["add", "token", "--access", "none"], input: memory.secret.secret(1 << 20), user: nil)
    #expect(added.status == 0, "\(added.error)")
    try memory.expectGone(from: memory.daemon, "add")
    let client = try RawClient(memory.host)
    try client.send(.read([RawClient.identity("token")]))
    try memory.host.wait("the answer to wait") {
      try !MemoryScan(pid: memory.daemon).hits([memory.secret]).isEmpty
    }
    try memory.expectOnlyLocked([memory.secret], in: memory.daemon)
    try memory.host.wait("the daemon to give up") {
      try MemoryScan(pid: memory.daemon).hits([memory.secret]).isEmpty
    }
    withExtendedLifetime(client) {}
  }

  @Test func `nothing stays for a client that dies while its password is checked`() throws {
    let memory = try MemoryHost()
    try memory.slowPasscodeService()
    try memory.add("token")
    try memory.writeInput(4096)
    let update = try memory.command("update token")
    try update.expect(MemoryHost.passwordQuestion)
    update.type(memory.password.secret(16) + "\n")
    try memory.host.wait("the check") { !memory.host.workers().isEmpty }
    // The new secret waits for the verdict.
    try memory.expectOnlyLocked([memory.secret], in: memory.daemon)
    kill(update.pid, SIGKILL)
    #expect(try update.status() == 128 + SIGKILL)
    try memory.expectGone(from: memory.daemon)
  }

  @Test func `an add whose client died while its password was stretched stores nothing`() throws {
    let memory = try MemoryHost()
    let threads = {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(memory.daemon)/task")
    }
    let idle = try threads().count
    var client: RawClient? = try RawClient(memory.host)
    try client?.send(secret: memory.itemPassword.secret(16))
    try client?.send(secret: memory.secret.secret(4096))
    let control = try AccessControl(flags: .applicationPassword)
    try client?.send(
      .add(
        NewItem(
          identity: RawClient.identity("vault"), attributes: Attributes(), accessControl: control),
        replacing: false))
    try memory.host.wait("the stretching") { try threads().count > idle }
    client = nil
    try memory.host.wait("the end of it") { try threads().count == idle }
    try memory.expectGone(from: memory.daemon)
    #expect(try memory.host.whorl(["show", "vault"], user: nil).status == 44)
  }

  @Test func `a password that a login handed over is dropped where it is not found right in time`()
    throws
  {
    #expect(Configuration().captureLimit == 30_000)
    let memory = try MemoryHost(["capture-limit = 3000"])
    try memory.slowPasscodeService()
    let login = try RawClient(memory.host)
    let start = ContinuousClock.now
    try login.send(secret: memory.password.secret(16))
    try login.send(
      .login(Login(.capture, user: Array("games".utf8), service: Array("login".utf8))))
    // The one that answers questions about accounts starts no program.
    func isChecking() -> Bool {
      memory.host.workers().contains { worker in
        let path = "/proc/\(worker)/task/\(worker)/children"
        return (try? String(contentsOfFile: path, encoding: .utf8))?.isEmpty == false
      }
    }
    try memory.host.wait("the check") { isChecking() }
    try memory.expectOnlyLocked([memory.password], in: memory.daemon)
    let scan = MemoryScan(pid: memory.daemon)
    try memory.host.wait("the drop") { try scan.hits([memory.password]).isEmpty }
    #expect(ContinuousClock.now - start >= .seconds(3))
    #expect(ContinuousClock.now - start < .milliseconds(4500))
    // The worker has a moment to end what its modules began.
    try memory.host.wait("the end of the check") { !isChecking() }
  }
}
