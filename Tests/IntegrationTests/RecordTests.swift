import Foundation
import Glibc
import TestHost
import Testing

/// The audit log as `whorl log` tells it.
struct RecordTests {
  @Test func `a record that could not be rotated for long keeps nobody out`() throws {
    let host = try PrivateHost()
    try host.startDaemon()
    try host.add("before", access: "none")
    host.stop("whorld")
    let file = try FileHandle(
      forUpdating: URL(filePath: "\(host.state)/audit/\(PrivateHost.games).log"))
    try file.truncate(atOffset: 9 << 20)
    try file.close()
    try host.startDaemon()
    try host.add("after", access: "none")
    #expect(try host.whorl(["log"]).output.contains("\"after\""))
  }

  @Test func `wrong tries are in the record, though a right one came`() throws {
    let host = try PrivateHost.complete()
    try host.add("token", access: "userPresence")
    let read = try host.reading("token")
    read.type("wrong\n")
    try read.expect("Wrong password.")
    try host.scan("mallory")
    try read.expect("does not match")
    try host.scan("alice")
    #expect(try read.status() == 0, "\(read.output)")
    let log = try host.whorl(["log"]).output
    let lines = log.split(separator: "\n").filter { $0.contains("read \"token\"") }
    let ends = [
      ", by password: it was wrong", ", by finger: it was wrong", ", by finger: done",
    ]
    #expect(lines.count == 3 && zip(lines, ends).allSatisfy { $0.hasSuffix($1) }, "\(log)")
  }

  @Test func `a client that went away leaves the record of its guess`() throws {
    let host = try PrivateHost.complete()
    try host.add("token", access: "devicePasscode")
    try host.passcodeService(
      """
      auth required pam_exec.so quiet /bin/sleep 1
      auth required \(PrivateHost.matrix) passdb=\(host.folder)/passdb
      """)
    let read = try host.reading("token", "Type your password: ")
    read.type("wrong\n")
    try host.wait("the check to begin") { !host.workers().isEmpty }
    kill(read.pid, SIGKILL)
    try host.wait("the record of the guess") {
      try host.whorl(["log"]).output.contains("by password: it was wrong")
    }
    #expect(try host.whorl(["log"]).output.contains("cancelled"))
  }

  @Test func `what is left of one record hides none that come after it`() throws {
    let host = try PrivateHost()
    try host.startDaemon()
    try host.add("before", access: "none")
    host.stop("whorld")
    // The length of a record, and its first bytes: all that reached the disk.
    let file = try FileHandle(
      forUpdating: URL(filePath: "\(host.state)/audit/\(PrivateHost.games).log"))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0, 0, 0, 80, 0, 0]))
    try file.close()
    try host.startDaemon()
    try host.add("after", access: "none")
    let log = try host.whorl(["log"]).output
    #expect(log.contains("\"before\"") && log.contains("\"after\""), "\(log)")
    #expect(log.split(separator: "\n").count == 2, "\(log)")
  }
}
