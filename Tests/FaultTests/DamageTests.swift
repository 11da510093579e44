import AccessControl
import Crypto
import Daemon
import Foundation
import Glibc
import SQLite
import SecretMemory
import TestHost
import Testing
import Vault
import WhorlTesting
import Wire

/// Bytes of the state that are not what was written: what they belong to is refused, a wrong
/// secret is never released, and nothing traps.
@Suite(.serialized) struct DamageTests {
  /// How a read of an item ends.
  enum Outcome: Equatable {
    case secret([UInt8])
    case failed(FailureCode)
  }

  /// The engine on the real files below a folder.
  struct State {
    static let caller = PendingOperation.Caller(
      connection: 1,
      subject: Subject(user: 0, name: Array("root".utf8), process: 1, session: [], terminal: 0))
    static let names = ["a", "b", "bound"]

    let folder: String
    let enrollment = ScriptedEnrollment(fingers: [.rightThumb], of: "root")

    func vault() throws -> Vault {
      Vault(
        storage: try FileVaultStorage(folder: folder, runtime: folder + ".run", quota: 1 << 30),
        keys: try FileKeySource(folder: folder), enrollment: enrollment, host: ScriptedHost())
    }

    static func secret(_ name: String) -> [UInt8] {
      Array("the secret of \(name) ".utf8) + [UInt8](repeating: 0x5a, count: 5000)
    }

    func fill() throws {
      let vault = try vault()
      for name in Self.names {
        #expect(try add(name, Self.secret(name), vault) == nil)
      }
    }

    func add(_ name: String, _ secret: [UInt8], _ vault: Vault) throws -> FailureCode? {
      let control = try AccessControl(text: name == "bound" ? "biometryCurrentSet" : "none")
      let item = NewItem(identity: .named(name), attributes: Attributes(), accessControl: control)
      guard
        case .failed(let failure) = vault.begin(
          Request(.add(item, replacing: true)), by: Self.caller,
          secrets: [try SecretBytes(copying: secret.span)])
      else { return nil }
      return failure.code
    }

    func read(_ name: String, _ vault: Vault) -> Outcome {
      var step = vault.begin(Request(.read([.named(name)])), by: Self.caller, secrets: [])
      if case .gather(_, let pending) = step { step = vault.resume(pending, .verified(.biometry)) }
      switch step {
      case .done(let outcome): return .secret(outcome.secrets[0].plain)
      case .failed(let failure): return .failed(failure.code)
      case .gather, .derive, .fetch: return .failed(.internalError)
      }
    }

    /// Reads, lists, shows and writes; every item must be itself or refused.
    ///
    /// - Returns: the items that were refused.
    func examine(_ what: String) throws -> [String] {
      let vault: Vault
      do { vault = try self.vault() } catch { return Self.names }
      _ = vault.begin(Request(.list(Query())), by: Self.caller, secrets: [])
      var refused: [String] = []
      for name in Self.names {
        _ = vault.begin(Request(.show(.named(name))), by: Self.caller, secrets: [])
        switch read(name, vault) {
        case .secret(let secret):
          must(secret == Self.secret(name), "\(what) gave a wrong secret of \(name)")
        case .failed(let code):
          must(
            [.corrupted, .notFound, .invalidated, .unavailable].contains(code), "\(what): \(code)")
          refused.append(name)
        }
      }
      _ = try add("new", [1, 2, 3], vault)
      return refused
    }
  }

  /// A folder that goes when the process does, or before.
  private static func folder() throws -> String {
    // In memory: nothing here is about what is lasting.
    let path = "/dev/shm/whorl-damage-\(getpid())"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
  }

  @Test func `a flipped byte anywhere in the state never gives a wrong secret`() async {
    // In a process of its own: a trap is a failure of this test, and ends no other.
    await #expect(processExitsWith: .success) {
      mustSucceed {
        try Crypto.initialize()
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = State(folder: folder)
        try state.fill()
        try Connection(path: folder + "/users/0-root/items.db").execute(
          "PRAGMA wal_checkpoint(TRUNCATE)")
        let files = [
          "users/0-root/items.db", "users/0-root/user.key", "users/0-root/generation",
          "host.key", "shred.slot",
        ]
        let saved = files.map { FileManager.default.contents(atPath: "\(folder)/\($0)")! }
        var (flips, refusals) = (0, 0)
        for (file, whole) in zip(files, saved) {
          // Evenly, and every byte of what is small.
          let stride = max(1, whole.count / 150)
          for offset in Swift.stride(from: 0, to: whole.count, by: stride) {
            for (file, whole) in zip(files, saved) {
              try whole.write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            }
            for suffix in ["-wal", "-shm"] { unlink("\(folder)/users/0-root/items.db\(suffix)") }
            var changed = whole
            // Odd steps meet other bits than even ones.
            changed[offset] ^= [0x01, 0x80, 0xff][flips % 3]
            try changed.write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            flips += 1
            if try !state.examine("byte \(offset) of \(file)").isEmpty { refusals += 1 }
          }
        }
        must(flips > 500 && refusals > 200, "\(flips) flips, \(refusals) refused")
      }
    }
  }

  @Test func `a flipped byte in the log of a store loses what follows, and nothing else`() async {
    await #expect(processExitsWith: .success) {
      mustSucceed {
        try Crypto.initialize()
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = State(folder: folder)
        let database = folder + "/users/0-root/items.db"
        let keeper = try state.vault()
        for name in State.names { _ = try state.add(name, State.secret(name), keeper) }
        let (store, log) = (
          FileManager.default.contents(atPath: database)!,
          FileManager.default.contents(atPath: database + "-wal")!
        )
        let copy = State(folder: folder + "/copy")
        try FileManager.default.createDirectory(
          atPath: copy.folder + "/users/0-root", withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        for name in ["host.key", "shred.slot", "users/0-root/user.key", "users/0-root/generation"] {
          try FileManager.default.copyItem(
            atPath: "\(folder)/\(name)", toPath: "\(copy.folder)/\(name)")
        }
        let target = copy.folder + "/users/0-root/items.db"
        for offset in Swift.stride(from: 0, to: log.count, by: max(1, log.count / 300)) {
          unlink(target + "-shm")
          try store.write(to: URL(fileURLWithPath: target))
          var changed = log
          changed[offset] ^= 0x10
          try changed.write(to: URL(fileURLWithPath: target + "-wal"))
          _ = try copy.examine("byte \(offset) of the log")
        }
        withExtendedLifetime(keeper) {}
      }
    }
  }

  @Test func `rows exchanged or put back give no wrong secret`() throws {
    try Crypto.initialize()
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let state = State(folder: folder)
    try state.fill()
    let database = folder + "/users/0-root/items.db"
    let bound = "(SELECT id FROM item ORDER BY id LIMIT 1 OFFSET 2)"
    let (first, second) = (
      "(SELECT min(id) FROM item)", "(SELECT id FROM item ORDER BY id LIMIT 1 OFFSET 1)"
    )
    func change(_ sql: String) throws { try Connection(path: database).execute(sql) }

    // Exchanged: each is the other's, and so nobody's.
    for column in ["sealed", "identity"] {
      try change(
        """
        CREATE TEMP TABLE keep AS SELECT id, \(column) AS value FROM item;
        UPDATE item SET \(column) = randomblob(8) WHERE id IN (\(first), \(second));
        UPDATE item SET \(column) = (SELECT value FROM keep WHERE id = \(second)) WHERE id = \(first);
        UPDATE item SET \(column) = (SELECT value FROM keep WHERE id = \(first))
          WHERE id = (SELECT id FROM item ORDER BY id LIMIT 1 OFFSET 1)
        """)
      let vault = try state.vault()
      for name in ["a", "b"] {
        #expect(state.read(name, vault) == .failed(.corrupted), "\(column) of \(name)")
      }
      for name in ["a", "b"] {
        #expect(try state.add(name, State.secret(name), vault) == nil)
        #expect(state.read(name, vault) == .secret(State.secret(name)))
      }
    }

    // An older row of an item whose generation has ended brings nothing back.
    try change("CREATE TABLE older AS SELECT * FROM item")
    do {
      let vault = try state.vault()
      #expect(state.read("bound", vault) == .secret(State.secret("bound")))
      state.enrollment.enroll(.leftThumb, of: "root")
      #expect(state.read("bound", vault) == .failed(.invalidated))
      #expect(try state.add("bound", [1], vault) == nil)
    }
    try change(
      "UPDATE item SET sealed = (SELECT sealed FROM older WHERE id = \(bound)) WHERE id = \(bound)"
    )
    #expect(state.read("bound", try state.vault()) == .failed(.invalidated))
    // An older row of another item is not this one's.
    try change(
      "UPDATE item SET sealed = (SELECT sealed FROM older WHERE id = \(first)) WHERE id = \(second)"
    )
    #expect(state.read("a", try state.vault()) == .failed(.corrupted))
    try change("DROP TABLE older")
  }
}
