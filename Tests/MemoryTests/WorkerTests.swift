import Foundation
import Glibc
import TestHost
import Testing

/// The worker keeps nothing of a password once its module has it.
///
/// What libpam and a module keep is theirs until the transaction ends, and the process with it.
@Suite(.serialized) struct WorkerTests {
  let memory: MemoryHost

  init() throws {
    memory = try MemoryHost()
    try memory.add("token")
    try memory.writeInput(16)
  }

  private var taken: String { "\(memory.host.folder)/taken" }

  /// A read whose password is with a module, and the worker's process.
  private func check(_ manner: String) throws -> (Terminal, pid_t) {
    let source = PrivateHost.repository.appendingPathComponent(
      "Tests/MemoryTests/Modules/pam_stay.c")
    let module = "\(memory.host.folder)/pam_stay.so"
    let compiled = try memory.host.run(
      ["/usr/bin/gcc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", module, source.path, "-lpam"])
    try #require(compiled.status == 0, "\(compiled.error)")
    try memory.host.passcodeService("auth required \(module) \(taken) \(manner)")
    let read = try memory.command("read token")
    try read.expect(MemoryHost.passwordQuestion)
    read.type(memory.password.secret(16) + "\n")
    try memory.host.wait("the module") { access(taken, F_OK) == 0 }
    return (read, try #require(memory.host.workers().first))
  }

  @Test func `nothing stays of a password that its module wiped`() throws {
    let (read, worker) = try check("wipe")
    try memory.expectGone(from: worker, "worker")
    try memory.expectGone(from: memory.daemon, "daemon")
    // What asked for it has handed it over, too.
    try memory.expectGone(from: read.pid, "whorl")
  }

  @Test func `libpam's own copy is the only one, and ends with the process`() throws {
    let (_, worker) = try check("keep")
    let hits = try MemoryScan(pid: worker).hits(memory.all)
    #expect(hits.count == 1 && hits.allSatisfy { $0.mapping.hasSuffix("[heap]") }, "\(hits)")
    memory.host.stop("whorld")
    try memory.host.wait("the worker's end", seconds: 5) { !Child.runs(worker) }
  }
}
