import Glibc
import HostAuthentication
import TestHost
import Testing

/// A run under test: what it said and how it ended.
final class Observed {
  var events: [AuthenticatorEvent] = []
  var outcome: AuthenticatorOutcome?
  var run: AuthenticatorRun?
}

extension AuthenticatorOutcome {
  var isVerified: Bool { if case .verified = self { true } else { false } }
}

@Suite(.serialized) final class BiometryTests {
  let host: PrivateHost
  let target = AuthenticationTarget(user: "games", uid: 5)

  init() throws {
    host = try PrivateHost()
    try host.startFingerprints()
  }

  private func authenticator(_ settings: WorkerSettings? = nil) -> BiometryAuthenticator {
    BiometryAuthenticator(
      loop: host.loop, fingerprints: FingerprintService(bus: host.bus),
      settings: settings ?? host.settings)
  }

  private func begin(_ settings: WorkerSettings? = nil) -> Observed {
    let observed = Observed()
    let authenticator = authenticator(settings)
    observed.run = authenticator.verify(
      target, onEvent: { observed.events.append($0) },
      completion: {
        // The authenticator lives as long as the test needs it.
        withExtendedLifetime(authenticator) {}
        observed.outcome = $0
      })
    return observed
  }

  private func armed(_ settings: WorkerSettings? = nil) throws -> Observed {
    let observed = begin(settings)
    try host.wait("the reader to be armed") {
      observed.events.contains(.armed) || observed.outcome != nil
    }
    #expect(observed.outcome == nil)
    return observed
  }

  private func outcome(_ observed: Observed, seconds: Double = 10) throws -> AuthenticatorOutcome {
    try host.wait("an outcome", seconds: seconds) { observed.outcome != nil }
    return observed.outcome!
  }

  @Test func `a matching finger opens`() throws {
    try host.enroll("alice", user: "games")
    let observed = try armed()
    try host.reader("SCAN alice")
    #expect(try outcome(observed).isVerified)
  }

  @Test func `a worker that was started ahead is taken, and there is one at most`() throws {
    try host.enroll("alice", user: "games")
    let authenticator = authenticator()
    for _ in 1...3 { authenticator.prepare() }
    try host.wait("the worker") { !host.workers().isEmpty }
    let ahead = host.workers()
    #expect(ahead.count == 1)
    let observed = Observed()
    observed.run = authenticator.verify(
      target, onEvent: { observed.events.append($0) }, completion: { observed.outcome = $0 })
    try host.wait("the reader to be armed") { observed.events.contains(.armed) }
    #expect(host.workers() == ahead)
    try host.reader("SCAN alice")
    #expect(try outcome(observed).isVerified)
    try host.wait("the worker to end") { host.workers().isEmpty }
  }

  @Test func `a worker that was started for nothing ends`() throws {
    let authenticator = authenticator()
    authenticator.prepare()
    try host.wait("the worker") { !host.workers().isEmpty }
    try host.wait("the worker to end") { host.workers().isEmpty }
    withExtendedLifetime(authenticator) {}
  }

  @Test func `three other fingers are a failure`() throws {
    try host.enroll("alice", user: "games")
    let observed = try armed()
    for index in 1...3 {
      // Each try begins with words of the module.
      try host.wait("try \(index) to begin") {
        observed.events.filter { if case .info = $0 { true } else { false } }.count >= index
      }
      try host.reader("SCAN mallory")
    }
    #expect(try outcome(observed) == .failed(.maxTries))
  }

  @Test func `cancelling frees the reader at once`() throws {
    try host.enroll("alice", user: "games")
    let observed = try armed()
    #expect(throws: (any Error).self) { try host.device("Claim", [.string("games")]).get() }
    observed.run?.cancel()
    let start = ContinuousClock.now
    try host.wait("the reader to be free", seconds: 1) {
      (try? host.device("Claim", [.string("games")]).get()) != nil
    }
    #expect(ContinuousClock.now - start < .milliseconds(500))
    #expect(try outcome(observed) == .cancelled)
    _ = try host.device("Release").get()
  }

  @Test func `fprintd that dies in a verification is a clean refusal`() throws {
    try host.enroll("alice", user: "games")
    let observed = try armed()
    host.stop("fprintd")
    #expect(try outcome(observed) == .unavailable(.serviceVanished))
    try host.wait("the worker to end") { host.workers().isEmpty }
  }

  @Test func `a worker that dies is told apart from a verdict`() throws {
    try host.enroll("alice", user: "games")
    let observed = try armed()
    for worker in host.workers() { kill(worker, SIGKILL) }
    #expect(try outcome(observed) == .unavailable(.workerCrashed))
  }

  @Test func `a worker that hangs meets our own clock`() throws {
    try host.enroll("alice", user: "games")
    var settings = host.settings
    settings.limit = 700
    let observed = try armed(settings)
    let workers = host.workers()
    #expect(try outcome(observed, seconds: 3) == .unavailable(.workerHung))
    try host.wait("the worker to end") { !workers.contains { Child.runs($0) } }
  }

  @Test func `a user without prints is not enrolled`() throws {
    #expect(try outcome(begin()) == .unavailable(.notEnrolled))
  }

  @Test func `a reader another program holds is busy`() throws {
    try host.enroll("alice", user: "games")
    _ = try host.device("Claim", [.string("games")]).get()
    #expect(try outcome(begin()) == .unavailable(.busy))
  }

  @Test func `a bus without fprintd has no service`() throws {
    host.stop("fprintd")
    #expect(try outcome(begin()) == .unavailable(.noService))
  }

  @Test func `a fprintd that hangs is given up after its limit`() throws {
    host.stop("fprintd", signal: SIGSTOP)
    let service = FingerprintService(bus: host.bus, limit: 300)
    let diagnosis = try host.answer("a diagnosis", seconds: 2) {
      service.diagnose(user: "games", completion: $0)
    }
    #expect(diagnosis == .timedOut)
  }

  @Test func `a remote session is refused before anything is asked`() throws {
    let outcome: AuthenticatorOutcome = try host.answer("an outcome") { done in
      let remote = AuthenticationTarget(user: "games", uid: 5, remoteHost: "203.0.113.5")
      _ = authenticator().verify(remote, completion: done)
    }
    #expect(outcome == .unavailable(.remote))
  }

  @Test func `a missing service file is named`() throws {
    try host.enroll("alice", user: "games")
    try host.removeService("whorl-biometry")
    #expect(
      try outcome(begin())
        == .unavailable(.serviceUnusable("whorl-biometry in \(host.services)")))
  }

  @Test func `a diagnosis names reader and fingers`() throws {
    try host.enroll("alice", user: "games")
    let service = FingerprintService(bus: host.bus)
    let diagnosis = try host.answer("a diagnosis") {
      service.diagnose(user: "games", completion: $0)
    }
    guard case .ready(_, let readers) = diagnosis else {
      Issue.record("\(diagnosis)")
      return
    }
    #expect(readers.map(\.fingers) == [["right-index-finger"]])
  }
}
