import AccessControl
import HostAuthentication
import SecretMemory
import Vault
import Wire

/// Who logs in, as far as the daemon believes it.
struct LoginTarget {
  let subject: Subject
  let terms: LoginTerms
}

/// What login programs say and ask.
///
/// Root may speak of every account; everyone else asks for a verify of the own one, and gets yes or
/// no.
final class LoginRunner {
  private let vault: Vault
  private let accounts: AccountDirectory
  private let host: HostFacts
  private let sessions: SessionDirectory
  private let log: AuditLog
  private let captured: CapturedPasswords
  /// The login program that authenticated each user last, and has not opened a session since.
  private var authenticated: [UInt32: Int32] = [:]

  init(
    vault: Vault, accounts: AccountDirectory, host: HostFacts, sessions: SessionDirectory,
    log: AuditLog, captured: CapturedPasswords
  ) {
    self.vault = vault
    self.accounts = accounts
    self.host = host
    self.sessions = sessions
    self.log = log
    self.captured = captured
    captured.onVerified = { [weak self] account in
      self?.host.passcodeProven(account.uid)
    }
  }

  /// Finds the account that a verify is about.
  func target(
    of login: Login, for connection: ClientConnection,
    _ completion: @escaping (Result<LoginTarget, Failure>) -> Void
  ) {
    let peer = connection.subject
    guard peer.user == 0 else {
      guard login.user == peer.name else { return completion(.failure(Failure(.notPermitted))) }
      let terms = LoginTerms(mark: nil, mayRelease: false)
      return completion(.success(LoginTarget(subject: peer, terms: terms)))
    }
    guard let name = String(validating: login.user, as: UTF8.self) else {
      return completion(.failure(Failure(.notFound)))
    }
    accounts.lookup(name: name) { [weak self] answer in
      guard let self, !connection.isClosed else { return }
      switch answer {
      case .unknown: completion(.failure(Failure(.notFound)))
      case .unavailable: completion(.failure(Failure(.unavailable)))
      case .known(let account): target(account, login, connection, completion)
      }
    }
  }

  private func target(
    _ account: Account, _ login: Login, _ connection: ClientConnection,
    _ completion: @escaping (Result<LoginTarget, Failure>) -> Void
  ) {
    let peer = connection.subject
    let subject = Subject(
      user: account.uid, name: Array(account.name.utf8), process: peer.process,
      executable: peer.executable, session: peer.session, terminal: peer.terminal)
    let finish = { [weak self] (mark: [UInt8]?) in
      guard let self, !connection.isClosed else { return }
      host.note(account)
      let terms = LoginTerms(mark: mark, mayRelease: true)
      completion(.success(LoginTarget(subject: subject, terms: terms)))
    }
    let owner = Owner(user: account.uid, name: subject.name)
    guard login.wantsSecret, vault.wantsLoginSecret(owner) else { return finish(nil) }
    accounts.passwordMark(of: account.name, completion: finish)
  }

  /// A touch let the user in where a screen was locked, or none was.
  func loggedIn(_ request: RunningRequest, _ login: Login) {
    guard request.connection.subject.user == 0, login.wantsSecret else { return }
    authenticated[request.user] = request.connection.subject.process
    sessions.loggedIn(request.user)
  }

  /// Everything but a verify: what is told is taken, and acknowledged at once.
  func take(_ login: Login, _ secrets: [SecretBytes], _ connection: ClientConnection) {
    guard connection.subject.user == 0 else {
      return connection.finish(.failed(Failure(.notPermitted)))
    }
    guard let name = String(validating: login.user, as: UTF8.self) else {
      return connection.finish(.failed(Failure(.notFound)))
    }
    connection.finish(.done(.done))
    let process = connection.subject.process
    switch login.step {
    case .verify: break
    case .sessionOpened: opened(name, by: process)
    case .capture:
      // The stack has accepted it already. A lock that comes from here on holds.
      accounts.lookup(name: name) { [weak self] answer in
        guard let self, case .known(let account) = answer else { return }
        authenticated[account.uid] = process
        sessions.loggedIn(account.uid)
      }
      captured.take(secrets[0], of: name, by: process)
    case .passwordChanged: captured.take(secrets[0], of: name, by: process)
    case .sessionClosed: closed(name, by: process)
    }
  }

  /// The first session since boot that a login opens is the first unlock. A session that nobody
  /// authenticated for is none: the account's service manager has one, and so has a job of cron.
  private func opened(_ name: String, by process: Int32) {
    accounts.lookup(name: name) { [weak self] answer in
      guard let self, case .known(let account) = answer, authenticated[account.uid] == process
      else { return }
      authenticated[account.uid] = nil
      host.sessionOpened(account.uid)
    }
  }

  /// What was gathered in a session does not serve after it. The password that its login handed over
  /// is right or wrong all the same, however short it was.
  private func closed(_ name: String, by process: Int32) {
    captured.hasten(name, by: process)
    accounts.lookup(name: name) { [weak self] answer in
      guard let self, case .known(let account) = answer else { return }
      if authenticated[account.uid] == process { authenticated[account.uid] = nil }
      vault.endReuse(user: account.uid)
    }
  }

  /// Nothing that a login of theirs handed over is kept any more.
  func drop(_ owner: Owner) { captured.drop(String(decoding: owner.name, as: UTF8.self)) }

  /// Whether the user has a login secret kept already, so that asking for it changes nothing.
  func hasKeyring(_ subject: Subject) -> Bool {
    vault.wantsLoginSecret(Owner(user: subject.user, name: subject.name))
  }

  /// What the user wants of the own login secret; to begin with one takes the user's password, and
  /// is no matter of this.
  func keyring(_ action: LoginKeyring.Action, _ connection: ClientConnection) {
    let subject = connection.subject
    let owner = Owner(user: subject.user, name: subject.name)
    do throws(Failure) {
      switch action {
      case .status, .enable: break
      case .disable: try vault.disableLoginKeyring(of: owner)
      }
    } catch { return connection.finish(.failed(error)) }
    if action == .disable { record(subject) }
    accounts.passwordMark(of: String(decoding: subject.name, as: UTF8.self)) { [weak self] mark in
      guard let self, !connection.isClosed else { return }
      do throws(Failure) {
        let state = try vault.loginKeyring(of: owner, mark: mark)
        connection.finish(.done(.loginKeyring(state)))
      } catch { connection.finish(.failed(error)) }
    }
  }

  private func record(_ subject: Subject) {
    _ = log.append(
      AuditRecord(
        time: host.date, user: subject.user, process: subject.process,
        program: subject.executable?.path ?? [], action: .loginKeyring, item: [], factors: [],
        failure: nil))
  }
}

extension Login {
  /// Whether a verify leaves a record: that no touch was possible is told by every other login.
  func isRecorded(_ failure: Failure?) -> Bool {
    switch failure?.code {
    case nil, .authenticationFailed, .timedOut, .cancelled, .changedMeanwhile: true
    default: false
    }
  }
}
