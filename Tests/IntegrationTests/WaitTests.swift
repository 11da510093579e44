import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// The waits after wrong passwords, as a person meets them.
@Suite(.serialized) final class WaitTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token")
    try host.add("mail", access: "devicePasscode")
  }

  /// As if the last of several wrong passwords was typed just now.
  private func makeWait(seconds: UInt64, failures: UInt32 = 5, _ lines: [String] = []) throws {
    host.stop("whorld", signal: SIGTERM)
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    var encoder = Encoder()
    encoder.uint32(failures)
    encoder.uint64((UInt64(now.tv_sec) + seconds) * 1_000_000_000)
    // The daemon takes no file that others may read.
    let path = "\(host.folder)/runtime/backoff-\(PrivateHost.games)"
    try #require(
      FileManager.default.createFile(
        atPath: path, contents: Data(encoder.bytes), attributes: [.posixPermissions: 0o600]))
    try host.startDaemon(lines)
  }

  @Test func `three wrong passwords are 51, and the next try waits`() throws {
    let read = try host.reading("mail", "Type your password: ")
    for _ in 0..<2 {
      read.type("wrong\n")
      try read.expect("Wrong password.")
    }
    read.type("wrong\n")
    #expect(try read.status() == 51)
    #expect(read.output.contains("authentication failed: \"passwords are tried again in 1 second"))
    #expect(!read.output.contains("hunter2"))
  }

  @Test func `a prompt tells the wait, and a password typed meanwhile is not called wrong`() throws
  {
    try makeWait(seconds: 20)
    let read = try host.reading("token")
    try read.expect("\nPasswords are tried again in ")
    try read.expect(PrivateHost.touchOrType)
    read.type("sesame\n")
    try read.expect("\nNot tried: passwords are tried again in ")
    try read.expect(PrivateHost.touchOrType)
    #expect(!read.output.contains("Wrong"))
    // The finger waits for nothing.
    try host.scan("alice")
    try read.expect("hunter2")
    #expect(try read.status() == 0)
  }

  @Test func `once the wait is over the right password opens`() throws {
    try makeWait(seconds: 2)
    let read = try host.reading("mail", "Type your password: ")
    _ = try? read.expect("never", seconds: 2.5)
    read.type("sesame\n")
    try read.expect("hunter2")
    #expect(try read.status() == 0)
  }

  @Test func `where the wait outlasts a prompt for the password alone, it is 51 at once`() throws {
    try makeWait(seconds: 40)
    let read = try host.terminal(["read", "mail"])
    #expect(try read.status(seconds: 5) == 51)
    #expect(
      read.output.contains("\"mail\": authentication failed: \"passwords are tried again in "))
    #expect(!read.output.contains("Type your password"))
    let record = try host.whorl(["log", "-n", "1"]).output
    #expect(record.contains("authentication failed"))
  }

  @Test func `a wrong password whose wait outlasts the prompt ends it`() throws {
    try makeWait(seconds: 0, failures: 8)
    let read = try host.reading("mail", "Type your password: ")
    read.type("wrong\n")
    #expect(try read.status(seconds: 5) == 51)
    #expect(read.output.contains("passwords are tried again in 60 seconds"))
  }

  @Test func `a prompt that ends during the wait says that the password was not tried`() throws {
    try makeWait(seconds: 40, ["prompt-limit = 1500"])
    let read = try host.reading("token")
    try read.expect("\nPasswords are tried again in ")
    read.type("sesame\n")
    try read.expect("Not tried")
    #expect(try read.status() == 51)
    #expect(read.output.contains("authentication failed: \"passwords are tried again in "))
    #expect(!read.output.contains("nobody answered"))
  }
}
