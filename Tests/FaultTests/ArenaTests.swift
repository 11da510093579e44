import AccessControl
import Crypto
import Glibc
import SecretMemory
import Testing
import Vault
import WhorlTesting
import Wire

/// Locked memory that runs out within the engine, after any number of pieces.
@Suite struct ArenaTests {
  @Test func `want of locked memory at any step is busy, and ends no generation`() async {
    await #expect(processExitsWith: .success) {
      try Crypto.initialize()
      try LockedArena.shared.prime()
      // From here on there is one chunk. Root may lock more in spite of the limit.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      must(setrlimit(__rlimit_resource_t(8), &limit) == 0)
      if geteuid() == 0 { must(setuid(65_534) == 0) }
      let (storage, keys) = (MemoryStorage(), try MemoryKeySource())
      let people = ["alice", "bob"]
      let enrollment = ScriptedEnrollment(fingers: [.rightThumb], of: "alice")
      enrollment.enroll(.leftThumb, of: "bob")
      for person in people {
        must(Self.add("bound", person, Self.vault(storage, keys, enrollment)) == nil)
      }
      let most = try SecretBytes(count: 240 * 1024)
      defer { withExtendedLifetime(most) {} }
      for free in 0..<40 {
        var taken: [SecretBytes] = []
        while let piece = try? SecretBytes(count: 64) { taken.append(piece) }
        // The secret to be added needs a piece itself.
        taken.removeLast(free)
        let vault = Self.vault(storage, keys, enrollment)
        for person in people {
          for name in ["bound", "new"] {
            let code = Self.add(name, person, vault)
            must([.busy, .unavailable, .duplicate, nil].contains(code), "\(free)")
          }
        }
        taken = []
        // What was not understood for want of memory is not remembered either.
        for person in people { _ = Self.add("later", person, vault) }
        let healed = Self.vault(storage, keys, enrollment)
        for person in people {
          must(Self.isLive("bound", person, healed), "\(person) after \(free) pieces")
          for name in ["new", "later"] {
            _ = healed.begin(
              Request(.delete(.named(name))), by: Self.caller(person), secrets: [])
          }
        }
      }
    }
  }

  private static func vault(
    _ storage: MemoryStorage, _ keys: MemoryKeySource, _ enrollment: ScriptedEnrollment
  ) -> Vault {
    Vault(storage: storage, keys: keys, enrollment: enrollment, host: ScriptedHost())
  }

  private static func caller(_ person: String) -> PendingOperation.Caller {
    PendingOperation.Caller(
      connection: 1,
      subject: Subject(
        user: person == "alice" ? 1000 : 1001, name: Array(person.utf8), process: 1, session: [],
        terminal: 0))
  }

  private static func add(_ name: String, _ person: String, _ vault: Vault) -> FailureCode? {
    guard let secret = try? SecretBytes(count: 1),
      let control = try? AccessControl(text: "biometryCurrentSet")
    else { return .busy }
    let item = NewItem(
      identity: .named(name), attributes: Attributes(), accessControl: control)
    switch vault.begin(
      Request(.add(item, replacing: false)), by: caller(person), secrets: [secret])
    {
    case .failed(let failure): return failure.code
    case .done, .gather, .derive, .fetch: return nil
    }
  }

  private static func isLive(_ name: String, _ person: String, _ vault: Vault) -> Bool {
    guard
      case .done(let outcome) = vault.begin(
        Request(.show(.named(name))), by: caller(person), secrets: []),
      case .item(let detail) = outcome.reply
    else { return false }
    return detail.binding == .live
  }
}
