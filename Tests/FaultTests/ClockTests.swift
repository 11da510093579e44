import AccessControl
import Crypto
import Foundation
import Glibc
import Linux
import SecretMemory
import Synchronization
import TestHost
import Testing
import Vault
import WhorlKit
import WhorlTesting
import Wire

/// Windows of time: they count from boot, sleep included, and no clock that can be set moves them.
@Suite(.serialized) struct ClockTests {
  private static let caller = PendingOperation.Caller(
    connection: 1,
    subject: Subject(
      user: 1000, name: Array("alice".utf8), process: 1, session: Array("c1".utf8), terminal: 7))

  /// An engine in which a touch was just given that may serve again for 100 seconds.
  private struct Given {
    let host = ScriptedHost()
    let vault: Vault

    init() throws {
      try Crypto.initialize()
      vault = Vault(
        storage: MemoryStorage(), keys: try MemoryKeySource(),
        enrollment: ScriptedEnrollment(fingers: [.rightThumb], of: "alice"), host: host)
      let control = try AccessControl(text: "userPresence", reuseLimit: 100)
      let item = NewItem(
        identity: .named("token"), attributes: Attributes(), accessControl: control)
      _ = vault.begin(
        Request(.add(item, replacing: false)), by: caller, secrets: [try SecretBytes(count: 1)])
      guard case .gather(_, let pending) = read() else { return }
      _ = vault.resume(pending, .verified(.biometry))
    }

    func read() -> Step {
      vault.begin(Request(.read([.named("token")]), reuse: 100), by: caller, secrets: [])
    }

    var serves: Bool { if case .done = read() { true } else { false } }
  }

  @Test func `a jump of the calendar, either way, neither prolongs nor ends what was proven`()
    throws
  {
    for jump in [-1_000_000_000, -3600, 3600, 1_000_000_000] as [Int64] {
      let given = try Given()
      #expect(given.serves)
      given.host.date = UInt64(Int64(given.host.date) + jump)
      #expect(given.serves, "\(jump)")
      given.host.uptime += 100 * 1_000_000_000
      #expect(given.serves)
      given.host.uptime += 1
      given.host.date = 1_800_000_000
      #expect(!given.serves, "\(jump)")
    }
  }

  @Test func `time asleep counts: a reuse ends while the host sleeps`() throws {
    let given = try Given()
    #expect(given.serves)
    // The clock of boot goes on, whatever the calendar says at waking.
    given.host.uptime += 101 * 1_000_000_000
    #expect(!given.serves)
  }

  @Test func `every timer of the daemon counts through sleep`() throws {
    let service = try Service()
    try service.start()
    let folder = "/proc/\(service.pid)/fdinfo"
    let clocks = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      return text.split(separator: "\n").first { $0.hasPrefix("clockid:") }
    }
    // CLOCK_BOOTTIME.
    #expect(!clocks.isEmpty && clocks.allSatisfy { $0 == "clockid: 7" }, "\(clocks)")
  }

  @Test func `a back-off outlives a restart, and ends by time since boot, sleep included`() throws {
    let service = try Service()
    try service.start()
    try service.keychain.add("token", Array("s".utf8), policy: "devicePasscode")
    let wrong = Typist(["wrong", "wrong", "wrong"])
    #expect(failure { try service.read("token", wrong) }?.code == .authenticationFailed)
    #expect(wrong.waits.last == 0 || wrong.waits.count == 2)
    let path = "\(service.host.folder)/runtime/backoff-0"
    #expect(access(path, F_OK) == 0)
    service.stop()

    // As after six more.
    var encoder = Encoder()
    encoder.uint32(9)
    encoder.uint64(BootClock.nanoseconds() + 50 * 1_000_000_000)
    try Data(encoder.bytes).write(to: URL(fileURLWithPath: path))
    try service.start()
    let early = Typist(["toor"])
    // Longer than a prompt is shown, so nobody is asked.
    let refused = failure { try service.read("token", early) }
    #expect(refused?.code == .authenticationFailed && early.waits.isEmpty, "\(early.waits)")
    let detail = String(decoding: refused?.detail ?? [], as: UTF8.self)
    #expect(detail.hasPrefix("passwords are tried again in "), "\(detail)")
    service.stop()

    // An hour later by the clock of boot, and the same time by every calendar.
    service.prefix = [
      "/usr/bin/unshare", "--time", "--boottime", "3600", "--fork", "--kill-child",
    ]
    try service.start()
    let late = Typist(["toor"])
    #expect(try service.read("token", late) == Array("s".utf8))
    #expect(late.waits == [])
  }
}

/// A person who types these passwords, one for each prompt or notice, and gives up when told to
/// wait.
private final class Typist: Prompter {
  private struct State {
    var words: [String]
    var waits: [UInt32] = []
    var gaveUp = false
    var mayType = false
    var prompt: UInt32 = 0
  }

  private let state: Mutex<State>
  /// Always readable.
  private let ready = Pipe()

  init(_ words: [String]) {
    state = Mutex(State(words: words))
    ready.fileHandleForWriting.write(Data([1]))
  }

  /// Seconds, as said after each wrong one.
  var waits: [UInt32] { state.withLock { $0.waits } }

  var isAvailable: Bool { true }
  func queued(program: [UInt8], item: [UInt8]) {}
  func armed() {}
  func end() {}

  func show(_ prompt: Prompt) -> Bool {
    state.withLock { state in
      state.mayType = true
      state.prompt = prompt.id
    }
    return true
  }

  func notice(_ notice: Notice) {
    guard notice.kind == .wrongPasscode else { return }
    state.withLock { state in
      state.waits.append(notice.seconds)
      state.mayType = true
      state.gaveUp = notice.seconds > 0
    }
  }

  var descriptors: [Int32] {
    state.withLock { $0.mayType } ? [ready.fileHandleForReading.fileDescriptor] : []
  }

  func input(at descriptor: Int32) -> PromptInput {
    state.withLock { state in
      if state.gaveUp { return .cancel }
      guard !state.words.isEmpty else { return .cancel }
      state.mayType = false
      let word = Array(state.words.removeFirst().utf8)
      guard let secret = try? SecretBytes(copying: word.span) else { return .cancel }
      return .answer(state.prompt, .devicePasscode, secret)
    }
  }
}

extension Service {
  fileprivate func read(_ name: String, _ person: Typist) throws -> [UInt8] {
    let keychain = Keychain(
      transport: SocketTransport(path: Array(socket.utf8), trustsAnyServer: true),
      prompter: person)
    return try keychain.read(.named(name)).plain
  }
}
