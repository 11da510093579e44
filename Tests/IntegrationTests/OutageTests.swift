import Glibc
import TestHost
import Testing

/// A part of the host that is missing, busy, killed or hung: each is an error of its own for the
/// one who asks, in bounded time, and others are served.
@Suite(.serialized) final class OutageTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startAll()
  }

  private func enrolled() throws {
    try host.enroll("alice", user: "games")
    try host.add("finger", access: "biometryAny")
    try host.add("token")
    try host.add("open", access: "none")
  }

  private func fails(
    _ status: Int32, _ words: String, _ arguments: [String] = ["read", "finger"],
    seconds: Double = 8
  ) throws {
    let read = try host.terminal(arguments)
    #expect(try read.status(seconds: seconds) == status, "\(read.output)")
    #expect(read.output.contains(words), "\(read.output)")
    #expect(!read.output.contains("hunter2"))
    #expect(try host.whorl(["list"]).status == 0)
  }

  private func opensByPassword() throws {
    let read = try host.terminal(["read", "token"])
    try read.expect("ype your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test func `none enrolled`() throws {
    try host.add("finger", access: "biometryAny")
    try fails(249, "no fingerprint is enrolled")
    #expect(try host.whorl(["status"]).output.contains("fprintd-enroll"))
    #expect(
      try host.whorl(["add", "--access", "biometryCurrentSet", "x"], input: "x").status == 249)
  }

  @Test func `no reader`() throws {
    try enrolled()
    host.stop("fprintd")
    try host.startFingerprints(drivers: "none")
    try fails(250, "there is no fingerprint reader")
    try opensByPassword()
  }

  @Test func `the reader is busy`() throws {
    try enrolled()
    _ = try host.device("Claim", [.string("games")]).get()
    try fails(75, "busy")
    try opensByPassword()
  }

  @Test func `no fprintd`() throws {
    try enrolled()
    host.stop("fprintd")
    try fails(1, "fprintd")
    try opensByPassword()
  }

  @Test func `fprintd hangs`() throws {
    try enrolled()
    host.stop("fprintd", signal: SIGSTOP)
    try fails(1, "fprintd", seconds: 8)
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    host.stop("fprintd", signal: SIGCONT)
  }

  @Test func `fprintd is killed while it compares`() throws {
    try enrolled()
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    host.stop("fprintd")
    #expect(try read.status(seconds: 8) == 1, "\(read.output)")
    #expect(read.output.contains("fprintd"))
    try opensByPassword()
  }

  @Test func `the worker is killed`() throws {
    try enrolled()
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    for worker in host.workers() { kill(worker, SIGKILL) }
    #expect(try read.status(seconds: 8) == 1, "\(read.output)")
    #expect(read.output.contains("whorl-pam-worker crashed"), "\(read.output)")
    try opensByPassword()
  }

  @Test func `the worker hangs`() throws {
    let host = try PrivateHost()
    try host.startAll(["prompt-limit = 3000"])
    try host.enroll("alice", user: "games")
    try host.add("finger", access: "biometryAny")
    try host.add("open", access: "none")
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    let workers = host.workers()
    for worker in workers { kill(worker, SIGSTOP) }
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    #expect(try read.status(seconds: 8) == 51, "\(read.output)")
    #expect(!read.output.contains("hunter2\n"))
    for worker in workers { kill(worker, SIGCONT) }
    #expect(host.readerIsFree(within: 6))
  }

  @Test func `nobody listens for workers`() throws {
    try enrolled()
    host.stop("worker")
    try fails(1, "whorl-pam-worker is not running")
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
  }

  @Test func `the PAM service for fingers is missing`() throws {
    try enrolled()
    try host.removeService("whorl-biometry")
    try fails(1, "whorl-biometry")
    try opensByPassword()
  }

  @Test func `the PAM service for passwords is missing`() throws {
    try enrolled()
    try host.removeService("whorl-passcode")
    try host.add("password", access: "devicePasscode")
    let read = try host.reading("password", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status(seconds: 8) == 1, "\(read.output)")
    #expect(read.output.contains("whorl-passcode"), "\(read.output)")
    let touched = try host.read("finger", touching: "alice")
    #expect(try touched.status() == 0)
  }

  @Test func `logind is gone`() throws {
    try enrolled()
    try opensByPassword()
    host.stop("logind")
    usleep(200_000)
    // Nobody knows any more whether the session is unlocked.
    try fails(36, "locked")
    try host.add("later", access: "biometryAny", ["--class", "afterFirstUnlock"])
    try fails(36, "remote or background", ["read", "later"])
    try host.startLogind()
    try host.addSession("c1")
    try host.wait("the session") {
      try host.whorl(["status"]).output.contains("unlocked")
    }
    try opensByPassword()
  }
}
