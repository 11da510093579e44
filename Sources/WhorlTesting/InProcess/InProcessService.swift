import AccessControl
import Synchronization
import Vault

/// The engine that all connections of one test keychain share.
///
/// Unchecked: sessions and engine are touched under the lock alone. The adapters are the test's
/// too, which changes them between requests.
final class InProcessService: @unchecked Sendable {
  /// The process under test, as the kernel would name it.
  static let subject = Subject(
    user: 1000, name: Array("user".utf8), process: 1, session: Array("1".utf8), terminal: 1)

  let authenticator: FakeAuthenticator
  let host: ScriptedHost
  private let lock = Mutex(())
  private let makeVault: () -> Vault
  private(set) var vault: Vault
  private var lastConnection: UInt64 = 0
  private var lastPrompt: UInt32 = 0
  /// Grows with every restart; sessions of an older one are over.
  private(set) var life = 0

  init(
    authenticator: FakeAuthenticator, host: ScriptedHost, storage: MemoryStorage,
    keys: MemoryKeySource, enrollment: ScriptedEnrollment
  ) {
    self.authenticator = authenticator
    self.host = host
    makeVault = { Vault(storage: storage, keys: keys, enrollment: enrollment, host: host) }
    vault = makeVault()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    lock.withLock { _ in body() }
  }

  func connect() -> InProcessSession {
    locked {
      lastConnection += 1
      return InProcessSession(
        self,
        PendingOperation.Caller(connection: lastConnection, subject: Self.subject))
    }
  }

  func nextPrompt() -> UInt32 {
    lastPrompt += 1
    return lastPrompt
  }

  func restart() {
    locked {
      vault = makeVault()
      life += 1
    }
  }

  func setLocked(_ isLocked: Bool) {
    locked { lockSession(isLocked) }
  }

  func lockSession(_ isLocked: Bool) {
    host.isUnlocked = !isLocked
    if isLocked {
      vault.endReuse(user: Self.subject.user)
    } else {
      host.wasUnlockedSinceBoot = true
    }
  }
}
