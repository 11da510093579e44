import AccessControl
import HostAuthentication
import Linux
import Vault

/// The engine's view of the host, from what accounts and sessions were last seen to be. Nothing
/// here waits.
final class HostFacts: Host {
  private let accounts: AccountDirectory
  private let sessions: SessionDirectory
  private let firstUnlocks: FirstUnlocks
  private let configuration: () -> Configuration
  /// What was known of each account when its last connection was accepted.
  private var known: [UInt32: Account] = [:]
  /// By connection: equal subjects may be two processes, one after the other.
  private var peers: [UInt64: Peer] = [:]

  init(
    accounts: AccountDirectory, sessions: SessionDirectory, firstUnlocks: FirstUnlocks,
    configuration: @escaping () -> Configuration
  ) {
    self.accounts = accounts
    self.sessions = sessions
    self.firstUnlocks = firstUnlocks
    self.configuration = configuration
  }

  func add(_ connection: UInt64, _ peer: Peer, _ account: Account) {
    known[peer.user] = account
    peers[connection] = peer
  }

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
    if isUnlocked { firstUnlocks.insert(subject.user) }
    return Facts(
      user: subject.user, isUnlocked: isUnlocked,
      wasUnlockedSinceBoot: firstUnlocks.contains(subject.user), hasPasscode: hasPasscode)
  }

  func located(_ caller: PendingOperation.Caller) -> Subject? {
    // By number: the process's own if it lives on afterwards, as the descriptor that was taken
    // when it connected tells.
    let subject = caller.subject
    let session = LoginSession.id(of: subject.process, subject.user)
    guard let terminal = ProcessFacts.terminal(subject.process),
      peers[caller.connection]?.isAlive == true
    else { return nil }
    return Subject(
      user: subject.user, name: subject.name, process: subject.process,
      executable: subject.executable, session: session, terminal: terminal)
  }

  func isUnchanged(_ caller: PendingOperation.Caller) -> Bool {
    // What cannot be read equals nothing.
    guard let frozen = caller.subject.executable, let now = peers[caller.connection]?.executable
    else { return false }
    return now.device == frozen.device && now.inode == frozen.inode
  }

  var uptime: UInt64 { BootClock.nanoseconds() }
  var date: UInt64 { CalendarClock.seconds() }

  /// Notes the users whose sessions are unlocked now.
  func sessionsChanged() {
    for session in sessions.all where session.isLive && !session.isLocked {
      firstUnlocks.insert(session.uid)
    }
  }

  /// What the shadow database does not know, as for accounts of a directory service, PAM may.
  private func mayHavePasscode(_ account: Account) -> Bool {
    configuration().passcodes == .pam || account.password.isUsable
      || account.password == .unknown
  }

  private func isUnlocked(_ user: UInt32, _ hasPasscode: Bool) -> Bool {
    if !sessions.isPresent, configuration().withoutLogind == .allow { return true }
    return sessions.isUnlocked(user, hasUsablePassword: hasPasscode)
  }
}
