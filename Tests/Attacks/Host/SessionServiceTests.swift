import Foundation
import Glibc
import TestHost
import Testing

/// What may happen to logind and to the session while somebody is asked.
@Suite(.serialized) final class SessionServiceTests {
  static let manager = "org.freedesktop.login1.Manager"
  static let session = "org.freedesktop.login1.Session"
  static let root = "/org/freedesktop/login1"
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete(["prompt-limit = 8000", "rearm-delay = 100"])
    try host.add("finger", access: "biometryAny")
    try host.add("token")
    try host.add("open", access: "none")
  }

  private func waiting(_ item: String = "finger") throws -> Terminal {
    let read = try host.reading(
      item, item == "finger" ? PrivateHost.touch : PrivateHost.touchOrType)
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

  private func opensByFinger() throws {
    let read = try waiting()
    usleep(300_000)
    try host.reader("SCAN alice")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  private func isLocked() throws -> Bool { try host.whorl(["read", "open"]).status == 36 }

  @Test func `a lock ends what waits for a person and frees the reader`() throws {
    for item in ["finger", "token"] {
      let read = try waiting(item)
      try host.lockSession("c1", true)
      try refuses(read, 36, "locked")
      #expect(host.readerIsFree(within: 6))
      try host.unlockSession("c1")
      try host.wait("the unlock") { try !isLocked() }
    }
    let read = try waiting()
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try refuses(read, 36, "locked")
  }

  @Test func `a lock leaves alone what a locked session may ask for`() throws {
    try host.add("later", access: "devicePasscode", ["--class", "afterFirstUnlock"])
    // The password was given once since boot.
    let proof = try host.reading("later", "Type your password: ")
    proof.type("sesame\n")
    #expect(try proof.status() == 0, "\(proof.output)")
    let read = try host.reading("later", "Type your password: ")
    try host.lockSession("c1", true)
    try read.expect("Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
  }

  enum Change: CaseIterable {
    case inactive, otherSeat, remote, removed, otherClass

    func happen(on host: PrivateHost) throws {
      switch self {
      case .inactive: try host.setProperties([("Active", .bool(false))], of: "c1")
      case .otherSeat:
        try host.addSession("c2", user: PrivateHost.other, name: "www-data", seat: "seat1")
        try host.announce("SessionNew", session: "c2")
      case .remote: try host.setProperties([("Remote", .bool(true))], of: "c1")
      case .removed:
        try host.setSession("")
        try host.announce("SessionRemoved", session: "c1")
      case .otherClass: try host.setProperties([("Class", .string("background"))], of: "c1")
      }
    }

    func undo(on host: PrivateHost) throws {
      switch self {
      case .inactive: try host.setProperties([("Active", .bool(true))], of: "c1")
      case .otherSeat: try host.announce("SessionRemoved", session: "c2")
      case .remote: try host.setProperties([("Remote", .bool(false))], of: "c1")
      case .removed:
        try host.setSession("c1")
        try host.announce("SessionNew", session: "c1")
      case .otherClass: try host.setProperties([("Class", .string("user"))], of: "c1")
      }
    }
  }

  @Test func `a touch that comes when the session is no longer at the reader opens nothing`() throws
  {
    for change in Change.allCases {
      let read = try waiting()
      try change.happen(on: host)
      // The change and the touch come by different ways; let the daemon hear of the change.
      usleep(100_000)
      let isGone = change == .removed || change == .otherClass
      if !isGone { try host.reader("SCAN alice") }
      try refuses(read, 36, isGone ? "the session is locked" : "a finger cannot be asked for")
      try change.undo(on: host)
      try host.wait("the session, after \(change)") { try !isLocked() }
    }
    usleep(100_000)
    try opensByFinger()
  }

  @Test func `a sleep is held back until the prompts have ended, and afterwards all works`() throws
  {
    try host.add("mine", access: "devicePasscode")
    let read = try host.reading("mine", "Type your password: ")
    try sleep {
      try refuses(read, 75, "about to suspend")
      try refuses(try host.terminal(["read", "finger"]), 75, "about to suspend")
    }
    try opensByFinger()
  }

  /// fprintd itself ends a verification when a sleep is announced. When its reader is then released
  /// before the sleep is over, it cannot open it again until it starts anew, which it does when it
  /// has been idle for half a minute.
  @Test func `a sleep in a verification may leave fprintd stuck, which is told and not waited for`()
    throws
  {
    let read = try waiting()
    try sleep { try refuses(read, 75, "about to suspend") }
    let finger = try host.terminal(["read", "finger"])
    if (try? host.waitForVerification(seconds: 1)) == nil {
      try refuses(finger, 75, "busy: \"the fingerprint reader\"")
      host.stop("fprintd")
      try FileManager.default.removeItem(atPath: host.folder(ofPrintsOf: "games"))
      try host.startFingerprints()
      try host.enroll("alice", user: "games")
    } else {
      finger.interrupt()
      #expect(try finger.status() == 128, "\(finger.output)")
    }
    let typed = try host.terminal(["read", "token"])
    try typed.expect("ype your password: ")
    typed.type("sesame\n")
    #expect(try typed.status() == 0, "\(typed.output)")
    try opensByFinger()
  }

  private func sleep(_ body: () throws -> Void) throws {
    try host.wait("the inhibitor") { try host.inhibitors() == 1 }
    try host.announceSleep(true)
    try host.wait("the inhibitor's end") { try host.inhibitors() == 0 }
    try body()
    try host.announceSleep(false)
    try host.wait("the inhibitor again") { try host.inhibitors() == 1 }
  }

  @Test func `what others tell in logind's name changes nothing`() throws {
    let path = "\(Self.root)/session/c1"
    let properties = "org.freedesktop.DBus.Properties"
    let read = try waiting("token")
    try host.forge(
      Self.manager, "PrepareForSleep", at: Self.root, signature: "b", "[True]")
    try host.forge(Self.session, "Lock", at: path, signature: "", "[]")
    try host.forge(
      properties, "PropertiesChanged", at: path, signature: "sa{sv}as",
      "['\(Self.session)', {'LockedHint': True, 'Active': False}, []]")
    try host.forge(
      "org.freedesktop.DBus", "NameOwnerChanged", at: "/org/freedesktop/DBus", signature: "sss",
      "['org.freedesktop.login1', ':1.2', '']")
    try host.forge(
      Self.manager, "SessionRemoved", at: Self.root, signature: "so", "['c1', '\(path)']")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")

    try host.lockSession("c1", true)
    try host.wait("the lock") { try isLocked() }
    try host.forge(Self.session, "Unlock", at: path, signature: "", "[]")
    try host.forge(
      properties, "PropertiesChanged", at: path, signature: "sa{sv}as",
      "['\(Self.session)', {'LockedHint': False}, []]")
    usleep(100_000)
    #expect(try isLocked())
  }

  @Test func `logind that comes back does not undo a lock`() throws {
    #expect(try host.whorl(["lock"]).status == 0)
    host.stop("logind")
    try host.startLogind()
    try host.addSession("c1")
    try host.announce("SessionNew", session: "c1")
    _ = try? host.wait("the session", seconds: 1) { try !isLocked() }
    #expect(try isLocked())
    try host.unlockSession("c1")
    try host.wait("the unlock") { try !isLocked() }
  }

  @Test func `logind that dies while somebody is asked ends the prompt`() throws {
    let read = try waiting()
    host.stop("logind")
    try refuses(read, 36, "locked")
    #expect(host.readerIsFree(within: 6))
  }

  @Test func `logind that did not answer for a while is asked again`() throws {
    host.stop("whorld", signal: SIGTERM)
    host.stop("logind", signal: SIGSTOP)
    try host.startDaemon()
    // Longer than whorld waits for an answer.
    usleep(2_500_000)
    #expect(try isLocked())
    host.stop("logind", signal: SIGCONT)
    try host.wait("the session to be known", seconds: 5) { try !isLocked() }
  }

  @Test func `logind that stops is bounded: no finger, and the rest as it was`() throws {
    let read = try waiting()
    host.stop("logind", signal: SIGSTOP)
    try host.reader("SCAN alice")
    try refuses(read, 36, "a finger cannot be asked for")
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    let typed = try host.terminal(["read", "token"])
    try typed.expect("ype your password: ")
    typed.type("sesame\n")
    #expect(try typed.status(seconds: 6) == 0, "\(typed.output)")
    host.stop("logind", signal: SIGCONT)
    try opensByFinger()
  }
}
