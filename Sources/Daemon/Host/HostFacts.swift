import AccessControl
import HostAuthentication
import Linux
import Vault

/// The engine's view of the host, from what accounts and sessions were last seen to be. Nothing
/// here waits.
final class HostFacts: Host {
  private let accounts: AccountDirectory
  private let sessions: SessionDirectory
  private let proofs: PasscodeProofs
  private let touches: TouchFailures
  private let unlocks: FirstUnlocks
  private let configuration: CurrentConfiguration
  /// What was last found out about each account.
  private var known: [UInt32: Account] = [:]
  /// By connection, with the time of the last look at what it runs: equal subjects may be two
  /// processes, one after the other.
  private var peers: [UInt64: (peer: Peer, seen: UInt64)] = [:]

  init(
    accounts: AccountDirectory, sessions: SessionDirectory, proofs: PasscodeProofs,
    touches: TouchFailures, unlocks: FirstUnlocks, configuration: CurrentConfiguration
  ) {
    self.accounts = accounts
    self.sessions = sessions
    self.proofs = proofs
    self.touches = touches
    self.unlocks = unlocks
    self.configuration = configuration
  }

  /// - Parameter seen: when the peer was found to run what is frozen of it.
  func add(_ connection: UInt64, _ peer: Peer, _ account: Account, seen: UInt64) {
    known[peer.user] = account
    peers[connection] = (peer, seen)
  }

  /// What was found out about an account otherwise than by its connecting.
  func note(_ account: Account) {
    known[account.uid] = account
  }

  /// The users of all connections.
  var connected: Set<UInt32> { Set(peers.values.map(\.peer.user)) }

  func remove(_ connection: UInt64) {
    peers[connection] = nil
  }

  func facts(for subject: Subject) -> Facts {
    // Who the user is was looked at when the connection was accepted; whether there is a password
    // may be as old as this on the path of every read.
    let account = accounts.cached(subject.user, age: 10) ?? known[subject.user]
    // An account whose state is unknown has a password: then nothing opens without proof.
    let hasPasscode = account.map(mayHavePasscode) ?? true
    let isUnlocked = isUnlocked(subject.user, hasPasscode)
    return Facts(
      user: subject.user, isUnlocked: isUnlocked,
      // What is open now, or has nothing to be opened with, was not left locked since boot.
      wasUnlockedSinceBoot: isUnlocked || !hasPasscode || proofs.last(subject.user) != nil
        || (configuration.value.passcodeAfterBoot == .off && unlocks.contains(subject.user)),
      hasPasscode: hasPasscode)
  }

  func located(_ caller: PendingOperation.Caller) -> Subject? {
    // By number: the process's own if it lives on afterwards, as the descriptor that was taken
    // when it connected tells.
    let subject = caller.subject
    let session = LoginSession.id(of: subject.process, subject.user)
    guard let terminal = ProcessFacts.terminal(subject.process, of: subject.user),
      peers[caller.connection]?.peer.isAlive == true
    else { return nil }
    return Subject(
      user: subject.user, name: subject.name, process: subject.process,
      executable: subject.executable, session: session, terminal: terminal)
  }

  func isUnchanged(_ caller: PendingOperation.Caller) -> Bool {
    isUnchanged(caller, sinceLast: 0)
  }

  /// - Parameter age: nanoseconds for which the last look at the executable serves.
  func isUnchanged(_ caller: PendingOperation.Caller, sinceLast age: UInt64) -> Bool {
    guard let frozen = caller.subject.executable, let (peer, seen) = peers[caller.connection],
      peer.isAlive
    else { return false }
    let time = uptime
    if time - seen < age { return true }
    // What cannot be read equals nothing.
    guard let now = peer.program(), now.device == frozen.device, now.inode == frozen.inode else {
      return false
    }
    peers[caller.connection]?.seen = time
    return true
  }

  var uptime: UInt64 { BootClock.nanoseconds() }
  var date: UInt64 { CalendarClock.seconds() }

  /// The user gave the password, to a login or to us.
  func passcodeProven(_ user: UInt32) {
    proofs.prove(user, now: uptime)
    touches.forget(user)
  }

  /// A login that authenticated the user, by whatever, opened its session.
  func sessionOpened(_ user: UInt32) { unlocks.add(user) }

  /// A finger was read, and did or did not match.
  func touched(_ user: UInt32, matched: Bool) {
    if matched { touches.forget(user) } else { touches.miss(user) }
  }

  /// What the administrator's rules say against a finger of the user now.
  func touchObstacle(_ user: UInt32) -> BiometryObstacle? {
    let rules = configuration.value
    if rules.passcodeAfterFailures > 0, touches.misses(user) >= rules.passcodeAfterFailures {
      return .lockout
    }
    let last = proofs.last(user)
    if rules.passcodeAfterBoot == .on, last == nil { return .passcodeFirst }
    guard rules.passcodeAfterHours > 0 else { return nil }
    // Counted from boot for those who have not given it since.
    let limit = UInt64(rules.passcodeAfterHours) * 3_600_000_000_000
    return uptime - min(last ?? 0, uptime) >= limit ? .passcodeFirst : nil
  }

  /// What the shadow database does not know, as for accounts of a directory service, PAM may.
  private func mayHavePasscode(_ account: Account) -> Bool {
    configuration.value.passcodes == .pam || account.password.isUsable
      || account.password == .unknown
  }

  private func isUnlocked(_ user: UInt32, _ hasPasscode: Bool) -> Bool {
    if !sessions.isPresent, configuration.value.withoutLogind == .allow { return true }
    return sessions.isUnlocked(user, hasUsablePassword: hasPasscode)
  }
}
