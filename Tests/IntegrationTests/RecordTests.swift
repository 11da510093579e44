import Foundation
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
