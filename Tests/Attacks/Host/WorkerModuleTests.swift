import Foundation
import Glibc
import HostAuthentication
import SecretMemory
import TestHost
import Testing

/// A module that misbehaves in a worker, as the authenticator sees it.
@Suite(.serialized) final class WorkerModuleTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
  }

  /// A try with a password, whose only module misbehaves.
  private final class Try {
    let run: AuthenticatorRun
    private(set) var outcome: AuthenticatorOutcome?
    let start = Date()
    private(set) var end: Date?
    private(set) var texts = 0

    init(_ host: PrivateHost, _ words: String, limit: UInt64) throws {
      let folder = "\(host.folder)/pam-\(UUID().uuidString)"
      try host.installHostile(words, folder: folder)
      let settings = WorkerSettings(socket: host.workerSocket, directory: folder, limit: limit)
      var told: (AuthenticatorOutcome) -> Void = { _ in }
      var heard: () -> Void = {}
      run = PasscodeAuthenticator(loop: host.loop, settings: settings).verify(
        AuthenticationTarget(user: "games", uid: PrivateHost.games),
        passcode: try SecretBytes(copying: Array("sesame".utf8).span),
        onEvent: { _ in heard() }, completion: { told($0) })
      told = { [unowned self] in
        outcome = $0
        end = Date()
      }
      heard = { [unowned self] in texts += 1 }
    }

    var seconds: Double { end?.timeIntervalSince(start) ?? .infinity }
  }

  private func attempt(_ words: String, limit: UInt64 = 10_000) throws -> Try {
    let attempt = try Try(host, words, limit: limit)
    try host.wait("an outcome of \(words)", seconds: 20) { attempt.outcome != nil }
    return attempt
  }

  private func verified(_ words: String) throws -> Bool {
    if case .verified = try attempt(words).outcome { true } else { false }
  }

  @Test func `only PAM_SUCCESS opens, whatever a phase returns`() throws {
    let codes = Array(1...40) + [-2, -1, 255, 256, 65536, Int(Int32.max), Int(Int32.min)]
    for phase in ["auth", "account"] {
      #expect(try verified("\(phase)=0"))
      for code in codes { #expect(try !verified("\(phase)=\(code)"), "\(phase) \(code)") }
    }
  }

  @Test func `a module that ends its process is a refusal, and told apart from a verdict`() throws {
    for action in ["segv", "abort", "exit", "kill", "memory", "close", "forge-half"] {
      for phase in ["auth", "account"] {
        let words = "do=\(action) in=\(phase)"
        #expect(try attempt(words).outcome == .unavailable(.workerCrashed), "\(words)")
        try host.wait("the worker's end") { host.workers().isEmpty }
      }
    }
    #expect(try verified("auth=0"))
  }

  @Test func `a module that hangs, in whatever way, meets our own clock and is ended`() throws {
    let actions = [
      "hang", "spin", "signals", "close-hang", "ask-hang", "fork-crash", "hang in=account",
    ]
    let tries = try actions.map { try Try(host, "do=\($0)", limit: 600) }
    // One that behaves is served meanwhile.
    let honest = try attempt("auth=0")
    if case .verified = honest.outcome {} else { Issue.record("\(honest.outcome as Any)") }
    #expect(honest.seconds < 0.5 || tries.allSatisfy { $0.outcome == nil })
    try host.wait("all outcomes") { tries.allSatisfy { $0.outcome != nil } }
    for (action, attempt) in zip(actions, tries) {
      // Without its socket it may look dead at once.
      let isDead = action == "close-hang" && attempt.outcome == .unavailable(.workerCrashed)
      #expect(isDead || attempt.outcome == .unavailable(.workerHung), "\(action)")
      #expect(attempt.seconds < 3, "\(action)")
    }
    try host.wait("the ends of the workers", seconds: 15) { host.workers().isEmpty }
  }

  @Test func `a child that a module leaves behind delays nobody`() throws {
    #expect(try attempt("do=fork-hang auth=7").outcome == .failed(.wrongPasscode))
    let right = try attempt("do=fork-hang")
    if case .verified = right.outcome {} else { Issue.record("\(right.outcome as Any)") }
    #expect(right.seconds < 2)
  }

  @Test func `a module that changes the user is refused`() throws {
    for action in ["user", "no-user"] {
      for phase in ["auth", "account"] {
        let words = "do=\(action) in=\(phase)"
        #expect(try attempt(words).outcome == .failed(.userChanged), "\(words)")
      }
    }
  }

  @Test func `a password is given once, and to a question that hides it`() throws {
    #expect(try verified("do=ask"))
    #expect(try !verified("do=ask-aloud"))
    #expect(try !verified("do=ask-twice"))
    // The account phase may ask too, but not again.
    #expect(try verified("do=ask in=account"))
  }

  @Test(arguments: ["talk", "talk-for-ever", "talk-in-threads"])
  func `a module that talks without end is ended`(action: String) throws {
    let attempt = try attempt("do=\(action)")
    #expect(attempt.outcome == .unavailable(.workerCrashed))
    #expect(attempt.seconds < 5)
    #expect(attempt.texts <= 256)
    try host.wait("the worker's end", seconds: 5) { host.workers().isEmpty }
  }

  @Test func `long and foreign texts are cut, and change no verdict`() throws {
    let huge = try attempt("do=talk-hugely")
    if case .verified = huge.outcome {} else { Issue.record("\(huge.outcome as Any)") }
    #expect(huge.texts == 3)
    #expect(try attempt("do=talk-a-little auth=7").outcome == .failed(.wrongPasscode))
  }

  /// The module is code of root's in the process that tells PAM's verdict. What it writes there is
  /// that verdict, as its return value is; it gets no further.
  @Test
  func `what a module writes on the worker's socket is PAM's word, and nothing but a verdict`()
    throws
  {
    #expect(try verified("do=forge auth=7"))
    for action in ["forge-noise", "forge-length"] {
      #expect(try attempt("do=\(action)").outcome == .unavailable(.workerCrashed), "\(action)")
    }
    guard case .unavailable = try attempt("do=forge-name").outcome else {
      Issue.record("a name passed for a verdict")
      return
    }
    // The standard streams lead nowhere.
    #expect(try attempt("do=standard auth=7").outcome == .failed(.wrongPasscode))
  }

  @Test func `a module that gives up root or leaves a thread behind changes no verdict`() throws {
    #expect(try verified("do=uid"))
    #expect(try attempt("do=uid auth=7").outcome == .failed(.wrongPasscode))
    // The thread may run into the end of its module first, which is a refusal.
    #expect(try !verified("do=thread auth=7"))
    guard let outcome = try attempt("do=thread").outcome else { return }
    if case .verified = outcome {} else { #expect(outcome == .unavailable(.workerCrashed)) }
    try host.wait("the workers' ends", seconds: 5) { host.workers().isEmpty }
  }

  @Test func `a module finds a clean environment and no descriptor but its socket`() throws {
    let file = "\(host.folder)/found"
    #expect(try verified("do=environment file=\(file)"))
    let variables = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(
      Set(variables.map { String($0.prefix { $0 != "=" }) })
        == ["PATH", "LANG", "DBUS_SYSTEM_BUS_ADDRESS"], "\(variables)")
    #expect(try verified("do=descriptors file=\(file)"))
    let descriptors = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(descriptors.count == 4, "\(descriptors)")
    #expect(descriptors.prefix(2).allSatisfy { $0.hasSuffix(" /dev/null") }, "\(descriptors)")
    #expect(descriptors.last?.contains("socket:") == true, "\(descriptors)")
  }
}
