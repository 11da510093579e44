import Glibc
import TestHost
import Testing

/// What may happen to the enrolled fingerprints.
enum PrintChange: String, CaseIterable, CustomTestStringConvertible {
  case added = "left thumb enrolled"
  case deleted = "left index finger deleted"
  case reenrolled = "right index finger enrolled again"
  case unparsable = "\"stray\", which cannot be read as a fingerprint, appeared"
  case symlink = "\"link\", which cannot be read as a fingerprint, appeared"
  case unparsableInPlace =
    "\"virtual_device_storage/0/1\", which cannot be read as a fingerprint, appeared"

  var testDescription: String { "\(rawValue)" }

  func happen(on host: PrivateHost) throws {
    switch self {
    case .added: try host.enroll("bob", finger: "left-thumb", user: "games")
    case .deleted: try host.delete(finger: "left-index-finger", user: "games")
    case .reenrolled: try host.enroll("alice", user: "games")
    case .unparsable: try host.writeStray("stray", user: "games")
    case .symlink: try host.linkStray("link", user: "games")
    case .unparsableInPlace: try host.writeStray("virtual_device_storage/0/1", user: "games")
    }
  }
}

@Suite(.serialized) final class InvalidationTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.enroll("carol", finger: "left-index-finger", user: "games")
    try host.add("token", access: "biometryCurrentSet")
  }

  @Test(arguments: PrintChange.allCases)
  func `a change of the prints invalidates, and show names the cause`(change: PrintChange) throws {
    try change.happen(on: host)
    let read = try host.terminal(["read", "token"])
    #expect(try read.status() == 93)
    #expect(read.output.contains("invalidated"))
    #expect(!read.output.contains("Touch"))
    let show = try host.whorl(["show", "token"])
    #expect(show.status == 0)
    #expect(show.output.contains("invalidated: " + change.rawValue), "\(show.output)")
    #expect(try host.whorl(["list"]).output.contains("invalidated"))
    #expect(try host.whorl(["read", "token"]).status == 93)
  }

  @Test func `status tells a finger from what cannot be read as one`() throws {
    try host.writeStray("virtual_device_storage/0/1", user: "games")
    let status = try host.whorl(["status"]).output
    #expect(status.contains("  right index finger, enrolled "), "\(status)")
    let stray = "\"virtual_device_storage/0/1\", which cannot be read as a fingerprint, of "
    #expect(status.contains("  " + stray), "\(status)")
  }

  @Test func `where the print reader is away, the place of a file names its finger`() throws {
    try host.writeStray("virtual_device_storage/0/1", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    host.stop("reader")
    let status = try host.whorl(["status"]).output
    #expect(status.contains("  left thumb, enrolled "), "\(status)")
    #expect(try host.whorl(["show", "token"]).output.contains("left thumb enrolled on"))
  }

  @Test func `old files put back do not revive an item`() throws {
    try host.savePrints(of: "games")
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    try host.restorePrints(of: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    try host.restartDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)
    #expect(try host.whorl(["show", "token"]).output.contains("left thumb enrolled"))
  }

  @Test func `a change while the daemon is away is found by the next read`() throws {
    host.stop("whorld")
    try host.enroll("bob", finger: "left-thumb", user: "games")
    try host.startDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)
    #expect(try host.whorl(["show", "token"]).output.contains("left thumb enrolled"))
  }

  @Test func `an invalidated item can be overwritten, and opens by the fingers of now`() throws {
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    try host.add("token", "new", access: "biometryCurrentSet", ["--replace"])
    let read = try host.read("token", touching: "bob")
    #expect(try read.status() == 0)
    #expect(read.output.contains("new"))
  }

  @Test func `overwriting an item keeps its access control, unless another is named`() throws {
    try host.enroll("bob", finger: "left-thumb", user: "games")
    try host.add("token", "new", ["--replace", "--reuse", "9"])
    var shown = try host.whorl(["show", "token"]).output
    #expect(shown.contains(/access +biometryCurrentSet\n/), "\(shown)")
    #expect(shown.contains("bound to the fingerprints enrolled now"))
    try host.add("token", "new", access: "biometryAny", ["--replace"])
    shown = try host.whorl(["show", "token"]).output
    #expect(shown.contains(/access +biometryAny\n/), "\(shown)")
    #expect(shown.contains("up to 9 seconds"), "\(shown)")
    try host.add("fresh", "new", ["--replace"])
    #expect(try host.whorl(["show", "fresh"]).output.contains(/access +userPresence\n/))
  }

  @Test func `an invalidated item can be deleted`() throws {
    try host.writeStray("stray", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    #expect(try host.whorl(["rm", "token"]).status == 0)
    #expect(try host.whorl(["read", "token"]).status == 44)
  }

  @Test func `with a passcode branch the password opens and re-arms, a finger never does`() throws {
    try host.add("both", access: "biometryCurrentSet | devicePasscode")
    try host.enroll("bob", finger: "left-thumb", user: "games")
    let read = try host.reading("both", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0)
    #expect(read.output.contains("hunter2"))
    #expect(!read.output.contains("Touch"))

    let rearm = try host.terminal(["rearm", "both"])
    try rearm.expect("Type your password: ")
    #expect(!host.readerIsTaken)
    rearm.type("sesame\n")
    #expect(try rearm.status() == 0)
    #expect(!rearm.output.contains("Touch"))
    let again = try host.reading("both")
    try host.scan("bob")
    #expect(try again.status() == 0)
    #expect(again.output.contains("hunter2"))
    // The item that has no such branch cannot be re-armed.
    #expect(try host.terminal(["rearm", "token"]).status() != 0)
    #expect(try host.whorl(["read", "token"]).status == 93)
  }

  @Test func `prints that change between the verify and the release refuse`() throws {
    let read = try host.reading("token", PrivateHost.touch)
    try host.waitForVerification()
    host.stop("whorld", signal: SIGSTOP)
    try host.scan("alice")
    usleep(200_000)
    try host.writeStray("stray", user: "games")
    host.stop("whorld", signal: SIGCONT)
    #expect(try [93, 51].contains(read.status()))
    #expect(!read.output.contains("hunter2"))
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `a full disk refuses when a generation must end, and it ends later`() throws {
    let host = try PrivateHost()
    try host.mountState(kibibytes: 1024)
    try host.startAll()
    try host.enroll("alice", user: "games")
    try host.add("token", access: "biometryCurrentSet")
    try host.savePrints(of: "games")
    try host.fillState()
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    // The prints of before are back, and the end is still owed.
    try host.restorePrints(of: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)
    host.freeState()
    #expect(try host.whorl(["read", "token"]).status == 93)
    try host.restartDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)
  }
}
