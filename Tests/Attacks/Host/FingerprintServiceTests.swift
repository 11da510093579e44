import Foundation
import Glibc
import TestHost
import Testing

/// What may happen to fprintd and its reader, and who may speak in its place.
@Suite(.serialized) final class FingerprintServiceTests {
  static let interface = "net.reactivated.Fprint.Device"
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete(["prompt-limit = 2500", "rearm-delay = 100"])
    try host.add("finger", access: "biometryAny")
    try host.add("open", access: "none")
  }

  private func waiting() throws -> Terminal {
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    return read
  }

  private func refuses(
    _ read: Terminal, _ status: Int32, _ words: String, seconds: Double = 6
  ) throws {
    #expect(try read.status(seconds: seconds) == status, "\(read.output)")
    #expect(read.output.contains(words), "\(read.output)")
    #expect(!read.output.contains("hunter2"))
  }

  private func opensByFinger(_ finger: String = "alice") throws {
    let read = try waiting()
    // Right after a match it would be a finger that rests.
    usleep(300_000)
    try host.reader("SCAN \(finger)")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test func `a match that another connection tells opens nothing`() throws {
    let read = try waiting()
    try host.forge(
      Self.interface, "VerifyStatus", at: host.devicePath(), signature: "sb",
      "['verify-match', True]")
    try refuses(read, 1, "fprintd did not tell of the match")
    #expect(host.readerIsFree(within: 6))
    try opensByFinger()
  }

  @Test func `what others tell in fprintd's or the bus's name is at most a refusal`() throws {
    let path = try host.devicePath()
    let bus = "/org/freedesktop/DBus"
    let forged: [(String, String, String, String, String)] = [
      (Self.interface, "VerifyFingerSelected", path, "s", "['any']"),
      (Self.interface, "VerifyStatus", path, "sb", "['verify-retry-scan', False]"),
      (Self.interface, "VerifyStatus", path, "sb", "['\u{1b}[31m', False]"),
      (Self.interface, "VerifyStatus", path, "sb", "['verify-no-match', True]"),
      (
        "org.freedesktop.DBus", "NameOwnerChanged", bus, "sss",
        "['net.reactivated.Fprint', ':1.2', ':1.666']"
      ),
    ]
    for (interface, member, at, signature, arguments) in forged {
      let read = try waiting()
      try host.forge(interface, member, at: at, signature: signature, arguments)
      _ = read.shows("hunter2", within: 0.2)
      read.interrupt()
      #expect(try [128, 51, 1].contains(read.status()), "\(member) \(arguments): \(read.output)")
      #expect(!read.output.contains("hunter2") && !read.output.contains("\u{1b}"))
      #expect(host.readerIsFree(within: 6))
    }
    try opensByFinger()
  }

  @Test
  func `nobody but root can take fprintd's name, and who takes it in a verify is not believed`()
    throws
  {
    let path = try host.devicePath()
    let words = ["/usr/bin/python3", "-c", BusStranger.impostor, host.busAddress, path]
    #expect(try host.run(words, user: PrivateHost.other).error.contains("AccessDenied"))
    let impostor = try host.terminal(program: words, user: nil)
    try impostor.expect("waits")
    let read = try waiting()
    host.stop("fprintd")
    try impostor.expect("told")
    try refuses(read, 1, "fprintd")
  }

  @Test func `fprintd that stops in a verify is bounded, and others are served`() throws {
    let read = try waiting()
    host.stop("fprintd", signal: SIGSTOP)
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    try refuses(read, 51, "nobody answered in time")
    host.stop("fprintd", signal: SIGCONT)
    #expect(host.readerIsFree(within: 5))
    try opensByFinger()
  }

  @Test func `fprintd that was killed in a verify and comes back is used again`() throws {
    let read = try waiting()
    host.stop("fprintd")
    try refuses(read, 1, "fprintd")
    // The virtual reader has forgotten its prints, and would hold old files against us.
    try FileManager.default.removeItem(atPath: host.folder(ofPrintsOf: "games"))
    try host.startFingerprints()
    try host.enroll("carol", user: "games")
    try opensByFinger("carol")
  }

  @Test func `a reader that is unplugged in a verify is missed, not waited for`() throws {
    let read = try waiting()
    try host.reader("UNPLUG")
    try refuses(read, 250, "there is no fingerprint reader", seconds: 6)
    try refuses(try host.terminal(["read", "finger"]), 250, "there is no fingerprint reader")
  }

  @Test func `a scan that saw too little may be tried again, and an error ends the verify`() throws
  {
    let read = try waiting()
    try host.reader("RETRY 1")
    try read.expect("The reader saw too little. Try again.")
    try host.reader("SCAN alice")
    #expect(try read.status() == 0, "\(read.output)")
    let other = try waiting()
    try host.reader("ERROR 0")
    try refuses(other, 1, "the fingerprint reader failed", seconds: 6)
    #expect(host.readerIsFree(within: 6))
    try opensByFinger()
  }

  @Test func `a match at the moment of a cancel releases once or not at all`() throws {
    for delay in [0, 300, 1000, 3000, 10_000] as [useconds_t] {
      let read = try waiting()
      try host.reader("SCAN alice")
      usleep(delay)
      read.interrupt()
      let status = try read.status()
      // 130: the signal came when the answer was already there.
      #expect([0, 128, 130].contains(status), "\(read.output)")
      if status == 128 { #expect(!read.output.contains("hunter2")) }
      #expect(host.readerIsFree(within: 6))
      // Nothing of it serves the next.
      let next = try waiting()
      #expect(!next.shows("hunter2", within: 0.1))
      next.interrupt()
      #expect(try next.status() == 128)
    }
  }

  @Test func `without polkit a finger still opens or is refused in time`() throws {
    host.stop("polkit")
    let read = try host.terminal(["read", "finger"])
    if read.shows(PrivateHost.touch, within: 6) {
      try host.scan("alice")
      #expect(try read.status() == 0, "\(read.output)")
    } else {
      #expect(try read.status(seconds: 6) == 1, "\(read.output)")
    }
  }
}
