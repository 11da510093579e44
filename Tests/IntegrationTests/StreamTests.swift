import Foundation
import Glibc
import TestHost
import Testing

/// No descriptor of a program takes the number of a standard stream.
@Suite(.serialized) final class StreamTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startLogind()
    try host.addSession("c1")
  }

  private func stream(_ descriptor: Int, of process: pid_t) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
  }

  @Test func `the daemon with closed streams puts nothing in their place`() throws {
    try host.startDaemon(prefix: ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"])
    let daemon = try #require(host.pid("whorld"))
    for descriptor in 0...2 { #expect(try stream(descriptor, of: daemon) == "/dev/null") }
    try host.add("open", access: "none")
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
  }

  @Test func `the worker with a closed standard error gives its modules one that takes all`() throws
  {
    let note = "\(host.folder)/streams"
    let script = "\(host.folder)/look.sh"
    try "#!/bin/sh\nreadlink /proc/$PPID/fd/0 /proc/$PPID/fd/1 /proc/$PPID/fd/2 >\(note)\n".write(
      toFile: script, atomically: true, encoding: .utf8)
    chmod(script, 0o755)
    try host.passcodeService("auth required pam_exec.so \(script)")
    try host.startWorker(prefix: ["/bin/sh", "-c", "exec \"$0\" 2>&-"])
    try host.startDaemon()
    try host.add("mail", access: "devicePasscode")
    let read = try host.reading("mail", "Type your password: ")
    read.type("any\n")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(
      try String(contentsOfFile: note, encoding: .utf8) == "/dev/null\n/dev/null\n/dev/null\n")
  }

  @Test func `a read into a closed standard output releases nothing`() throws {
    try host.startDaemon()
    try host.add("open", access: "none")
    let result = try host.run(
      ["/bin/sh", "-c", "\(host.command) read open >&-"], user: PrivateHost.games)
    #expect(result.status == 1)
    #expect(!(try host.whorl(["log"]).output.contains("read")))
  }
}
