import AccessControl
import Crypto
import SecretMemory
import Vault
import WhorlKit
import Wire

/// A whole keychain in this process: WhorlKit, the protocol and the service's engine as they are,
/// with storage, keys, prints and host facts in memory and a scripted person.
///
/// ```swift
/// let test = try TestKeychain(.approve(), .deny(), .timeout)
/// try test.keychain.add(item, secret: secret)
/// _ = try test.keychain.read(item.identity)
/// test.enrollment.enroll(.leftThumb)
/// ```
///
/// Everything runs on the thread that calls, and nothing waits: time is that of ``host``. Change
/// script and adapters between requests, or in `FakeAuthenticator.Act.meanwhile`.
public final class TestKeychain {
  /// What the code under test uses; ported code takes it as `Keychain.shared`.
  public let keychain: Keychain
  /// The person, and what authenticators answer.
  public let authenticator: FakeAuthenticator
  public let enrollment: ScriptedEnrollment
  public let host: ScriptedHost
  public let storage: MemoryStorage
  public let keys: MemoryKeySource
  /// The person's own keyring.
  public let outside: MemoryOutsideStore
  private let service: InProcessService

  /// - Parameters:
  ///   - acts: what the person does, in turn.
  ///   - fingers: the prints that are enrolled at first.
  ///   - groups: the access groups of the program under test, its default first.
  /// - Throws: `CryptoError` when no memory can be locked.
  public convenience init(
    _ acts: FakeAuthenticator.Act..., fingers: [Finger] = [.rightIndex], groups: [[UInt8]] = []
  ) throws {
    let authenticator = FakeAuthenticator()
    for act in acts { authenticator.then(act) }
    try self.init(
      authenticator: authenticator, enrollment: ScriptedEnrollment(fingers: fingers),
      groups: groups)
  }

  /// One on adapters that the test made, for instance copies of another one's.
  public init(
    authenticator: FakeAuthenticator, enrollment: ScriptedEnrollment = ScriptedEnrollment(),
    host: ScriptedHost = ScriptedHost(), storage: MemoryStorage = MemoryStorage(),
    keys: MemoryKeySource? = nil, outside: MemoryOutsideStore = MemoryOutsideStore(),
    defaultStore: Keychain.DefaultStore = .own,
    groups: [[UInt8]] = []
  ) throws {
    self.outside = outside
    try Crypto.initialize()
    self.authenticator = authenticator
    self.enrollment = enrollment
    self.host = host
    enrollment.date = { host.date }
    self.storage = storage
    self.keys = try keys ?? MemoryKeySource()
    service = InProcessService(
      authenticator: authenticator, host: host, storage: storage, keys: self.keys,
      enrollment: enrollment)
    keychain = Keychain(
      transport: InProcessTransport(service: service), prompter: WillingPrompter(),
      groups: groups, store: outside,
      defaultStore: defaultStore)
  }

  /// Restarts the service: connections end, and with them contexts and kept evidence.
  public func restart() {
    service.restart()
  }

  /// The session was locked, or unlocked again; locking ends kept evidence.
  public func setLocked(_ isLocked: Bool) {
    service.setLocked(isLocked)
  }
}

/// Shows every prompt; the script answers it.
private final class WillingPrompter: Prompter {
  var isAvailable: Bool { true }
  func queued(program: [UInt8], item: [UInt8]) {}
  func show(_ prompt: Prompt) -> Bool { true }
  func armed() {}
  func notice(_ notice: Notice) {}
  var descriptors: [Int32] { [] }
  func input(at descriptor: Int32) -> PromptInput { .nothing }
  func end() {}
}

extension SecretBytes {
  /// A secret that is none, for tests.
  public convenience init(testText: String) throws(SecretMemoryError) {
    let bytes = Array(testText.utf8)
    try self.init(copying: bytes.span)
  }

  /// The bytes as text, for tests: it leaves locked memory.
  public var testText: String {
    withBytes { span in
      String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }
  }
}
