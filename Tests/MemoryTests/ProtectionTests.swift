import Foundation
import Glibc
import TestHost
import Testing

/// What keeps the processes' memory from other programs, from core files and from the swap.
@Suite(.serialized) struct ProtectionTests {
  /// A group that none of root's processes has. The kernel gives the files in /proc of a process
  /// that is not dumpable to root and root's group, whatever group the process has.
  private static let group: gid_t = 4242
  private static let withGroup = [
    "/usr/bin/setpriv", "--regid", "\(group)", "--clear-groups",
  ]

  private func group(of pid: pid_t) -> gid_t {
    var facts = stat()
    return stat("/proc/\(pid)/maps", &facts) == 0 ? facts.st_gid : .max
  }

  private func lines(_ name: String, of pid: pid_t) throws -> [[Substring]] {
    try String(contentsOfFile: "/proc/\(pid)/\(name)", encoding: .utf8).split(separator: "\n")
      .map { $0.split(whereSeparator: \.isWhitespace) }
  }

  /// Calls that are bound when they are first made leave pieces of secrets on the stack.
  private func expectBound(_ pid: pid_t) throws {
    let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
    #expect(environment.split(separator: "\0").contains("LD_BIND_NOW=1"))
  }

  private func expectNoCore(_ pid: pid_t) throws {
    let limit = try lines("limits", of: pid).first { $0.starts(with: ["Max", "core"]) }
    // Soft, hard, and their unit.
    #expect(limit?.suffix(3) == ["0", "0", "bytes"], "\(limit ?? [])")
  }

  @Test func `the daemon is not dumpable, and its secrets are not swapped`() throws {
    let host = try PrivateHost()
    try host.startDaemon(prefix: Self.withGroup)
    let daemon = try #require(host.pid("whorld"))
    #expect(try lines("status", of: daemon).contains { $0.first == "Gid:" && $0[1] == "4242" })
    #expect(group(of: daemon) == 0)
    try expectNoCore(daemon)
    try expectBound(daemon)
    let status = try lines("status", of: daemon)
    let value = { (name: String) in status.first { $0.first == "\(name):" }.flatMap { Int($0[1]) } }
    #expect(value("VmSwap") == 0)
    #expect(try #require(value("VmLck")) >= 256)
  }

  @Test(arguments: ["whorl-pam-worker", "whorl-print-reader"])
  func `a helper is not dumpable`(program: String) throws {
    var sockets: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    defer { for socket in sockets { close(socket) } }
    _ = fcntl(sockets[0], F_SETFD, FD_CLOEXEC)
    let helper = try Child(
      Self.withGroup + ["\(PrivateHost.programs)/\(program)"], environment: [:], input: sockets[1])
    let host = try PrivateHost()
    try host.wait("the helper to protect itself") { group(of: helper.pid) == 0 }
    try expectNoCore(helper.pid)
    if program == "whorl-pam-worker" { try expectBound(helper.pid) }
  }

  @Test func `another program of the same user cannot read whorl`() throws {
    let memory = try MemoryHost()
    try memory.add("token")
    try memory.writeInput(16)
    let read = try memory.command("read token")
    try read.expect(MemoryHost.passwordQuestion)
    let program = try memory.host.terminal(program: ["/bin/sleep", "30"])
    try memory.host.wait("the program") {
      (try? String(contentsOfFile: "/proc/\(program.pid)/comm", encoding: .utf8)) == "sleep\n"
    }
    func look(_ pid: pid_t, _ file: String) throws -> String {
      try memory.host.run(
        ["/usr/bin/head", "-c", "1", "/proc/\(pid)/\(file)"], user: PrivateHost.games
      ).error
    }
    // Opening `mem` takes the right to trace. What may be opened fails later: nothing lies at 0.
    #expect(try look(program.pid, "environ").isEmpty)
    #expect(try look(program.pid, "mem").contains("Input/output error"))
    #expect(try look(read.pid, "environ").contains("Permission denied"))
    #expect(try look(read.pid, "mem").contains("Permission denied"))
  }

  @Test func `a program that whorl runs can be debugged`() throws {
    let memory = try MemoryHost()
    try memory.add("token", access: "none")
    let run = try memory.host.terminal([
      "run", "--with", "token", "--", "/bin/sh", "-c", "echo started; sleep 30",
    ])
    try run.expect("started")
    #expect(group(of: run.pid) == PrivateHost.games)
  }
}
