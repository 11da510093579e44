import Foundation
import Glibc
import TestHost
import Testing

/// What may happen to the system bus itself.
@Suite(.serialized) final class BusTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete(["prompt-limit = 2500", "rearm-delay = 100"])
    try host.add("finger", access: "biometryAny")
    try host.add("token")
    try host.add("open", access: "none")
    try host.add("always", access: "none", ["--class", "afterFirstUnlock"])
  }

  /// What the virtual reader held went with its process.
  private func startReaderAnew() throws {
    try FileManager.default.removeItem(atPath: host.folder(ofPrintsOf: "games"))
    try host.startFingerprints()
    try host.enroll("carol", user: "games")
  }

  private func isLocked() throws -> Bool { try host.whorl(["read", "open"]).status == 36 }

  @Test func `a bus that dies ends prompts and locks, and one that comes back is used again`()
    throws
  {
    let proof = try host.reading("token")
    proof.type("sesame\n")
    #expect(try proof.status() == 0)
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    host.stop("bus")
    // The session or the reader is missed first; the finger was not wrong.
    #expect([1, 36].contains(try read.status(seconds: 6)), "\(read.output)")
    #expect(["locked", "fprintd"].contains { read.output.contains($0) }, "\(read.output)")
    // Nobody knows any more whether the session is unlocked; what needs no session is served.
    #expect(try isLocked())
    #expect(try host.whorl(["read", "always"]).output == "hunter2")
    for name in ["logind", "fprintd", "polkit"] { host.stop(name) }

    try host.startBus()
    try host.startLogind()
    try host.addSession("c1")
    try startReaderAnew()
    try host.wait("the daemon on the bus", seconds: 5) { try host.inhibitors() == 1 }
    try host.announce("SessionNew", session: "c1")
    try host.wait("the session", seconds: 5) { try !isLocked() }
    let again = try host.read("finger", touching: "carol")
    #expect(try again.status() == 0, "\(again.output)")
  }

  @Test func `a bus that stops is bounded, and what needs none is served at once`() throws {
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    host.stop("bus", signal: SIGSTOP)
    let start = ContinuousClock.now
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    #expect(try host.whorl(["list"]).status == 0)
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(try read.status(seconds: 5) == 51, "\(read.output)")
    let finger = try host.terminal(["read", "finger"])
    #expect(try finger.status(seconds: 6) == 36, "\(finger.output)")
    #expect(!finger.output.contains("hunter2"))
    host.stop("bus", signal: SIGCONT)
    // fprintd itself may fall over all that the bus held back; a host's bus starts it again.
    let isGone = host.hasEnded("fprintd", within: 0.5)
    if isGone { try startReaderAnew() }
    #expect(host.readerIsFree(within: 10))
    let again = try host.read("finger", touching: isGone ? "carol" : "alice")
    #expect(try again.status() == 0, "\(again.output)")
  }
}
