import AccessControl
import HostAuthentication
import Linux
import Vault
import Wire

/// What administrators ask for: root is taken for one, of everyone else polkit says whether they are,
/// each time anew. What was done is in the record of both accounts.
final class AdministrationRunner {
  private let vault: Vault
  /// Everyone of whom something is kept, also where the account is gone.
  private let owners: () -> [Owner]
  private let accounts: AccountDirectory
  private let log: AuditLog
  private let host: HostFacts
  private let polkit: PolkitAuthority
  private let rules: RuleBook
  private let configuration: () -> Configuration
  /// Questions that go on, by connection.
  private var checks: [UInt64: (user: UInt32, check: PresenceCheck)] = [:]
  /// What was allowed on a connection: further pages of the same answer are no new request.
  private var allowed: [UInt64: Matter] = [:]

  init(
    vault: Vault, owners: @escaping () -> [Owner], accounts: AccountDirectory, log: AuditLog,
    host: HostFacts, polkit: PolkitAuthority, rules: RuleBook,
    configuration: @escaping () -> Configuration
  ) {
    self.vault = vault
    self.owners = owners
    self.accounts = accounts
    self.log = log
    self.host = host
    self.polkit = polkit
    self.rules = rules
    self.configuration = configuration
  }

  func perform(
    _ administration: Administration, _ request: Request, _ connection: ClientConnection
  ) {
    let subject = connection.subject
    guard let matter = Matter(administration, of: subject) else {
      return run(administration, nil, connection)
    }
    if subject.user == 0 || (administration.isContinued && allowed[connection.id] == matter) {
      return run(administration, matter, connection)
    }
    // One dialog of a user at a time: more would hide one another.
    guard !checks.values.contains(where: { $0.user == subject.user }) else {
      return refuse(matter, Failure(.busy, detail: Self.text("another dialog waits")), connection)
    }
    guard let started = ProcessFacts.started(subject.process) else {
      return refuse(matter, Failure(.changedMeanwhile), connection)
    }
    var isOver = false
    let check = polkit.ask(
      PolkitAuthority.Question(
        process: subject.process, started: started, user: subject.user,
        program: displayText(subject.executable?.path ?? []), item: displayText(matter.account),
        administration: matter.action),
      patience: request.allowsInteraction ? configuration().promptLimit : 0
    ) { [weak self] outcome in
      isOver = true
      guard let self, !connection.isClosed else { return }
      checks[connection.id] = nil
      // The process may have become another program while the person looked at its name.
      guard host.isUnchanged(connection.caller) else {
        return refuse(matter, Failure(.changedMeanwhile), connection)
      }
      if let failure = Self.failure(outcome) { return refuse(matter, failure, connection) }
      allowed[connection.id] = matter
      run(administration, matter, connection)
    }
    if !isOver { checks[connection.id] = (subject.user, check) }
  }

  /// The client does not wait any more.
  func cancel(_ connection: ClientConnection) {
    guard let (_, check) = checks.removeValue(forKey: connection.id) else { return }
    check.cancel()
    connection.finish(.failed(Failure(.cancelled)))
  }

  func closed(_ connection: ClientConnection) {
    checks.removeValue(forKey: connection.id)?.check.cancel()
    allowed[connection.id] = nil
  }

  private func run(
    _ administration: Administration, _ matter: Matter?, _ connection: ClientConnection
  ) {
    guard case .rules(let changes) = administration else {
      let account = administration.account
      return find(account.isEmpty ? connection.subject.name : account) { [weak self] found in
        guard let self, !connection.isClosed else { return }
        switch found {
        case .failure(let failure):
          if let matter { return refuse(matter, failure, connection) }
          connection.finish(.failed(failure))
        case .success(let found):
          answer(administration, of: found, matter, connection)
        }
      }
    }
    if let matter {
      guard rules.change(changes) else {
        return refuse(matter, Failure(.unavailable, detail: Self.text("the rules")), connection)
      }
      record(matter, nil, connection, [])
    }
    connection.finish(.done(.rules(Rules(configuration()))))
  }

  /// The account of that name, first where there is one, and whatever is kept under the name.
  private func find(_ name: [UInt8], _ completion: @escaping (Result<[Owner], Failure>) -> Void) {
    guard let text = String(validating: name, as: UTF8.self) else {
      return completion(.failure(Failure(.notFound)))
    }
    accounts.lookup(name: text) { [owners] answer in
      let kept = owners().filter { $0.name == name }
      switch answer {
      case .known(let account):
        let owner = Owner(user: account.uid, name: Array(account.name.utf8))
        completion(.success([owner] + kept.filter { $0 != owner }))
      case .unknown where !kept.isEmpty: completion(.success(kept))
      case .unknown: completion(.failure(Failure(.notFound, detail: name)))
      case .unavailable: completion(.failure(Failure(.unavailable)))
      }
    }
  }

  private func answer(
    _ administration: Administration, of found: [Owner], _ matter: Matter?,
    _ connection: ClientConnection
  ) {
    let owner = found[0]
    if let matter, !administration.isContinued {
      // What cannot be recorded is not done.
      for record in records(matter, nil, connection, found.map(\.user)) {
        do throws(SystemError) { try log.makeRoom(for: [record]) } catch {
          let isFull = StorageError(error) == .full
          return connection.finish(
            .failed(
              Failure(
                isFull ? .storageFull : .unavailable,
                detail: Self.text("the audit log cannot be written"))))
        }
      }
    }
    let message: ServerMessage
    switch administration {
    case .list(_, let after): message = list(owner, after: after, connection)
    case .log(_, let skipping):
      // First, so that further pages go on where this one ends.
      if let matter, skipping == 0 { record(matter, nil, connection, found.map(\.user)) }
      message = .done(
        .records(
          log.records(of: owner.user, limit: Limits.page, skipping: Int(clamping: skipping))))
    case .purge: message = purge(found)
    case .rules: message = .failed(Failure(.internalError))
    }
    guard let matter, !administration.isContinued else { return connection.finish(message) }
    if case .failed(let failure) = message { return refuse(matter, failure, connection) }
    if matter.record != .exportLog { record(matter, nil, connection, found.map(\.user)) }
    connection.finish(message)
  }

  private func list(
    _ owner: Owner, after: UInt64, _ connection: ClientConnection
  ) -> ServerMessage {
    // To look at what nobody has stored makes nothing.
    guard owners().contains(owner) else { return .done(.items([])) }
    let asking = connection.subject
    let subject = Subject(
      user: owner.user, name: owner.name, process: asking.process, executable: asking.executable,
      session: asking.session, terminal: asking.terminal)
    let step = vault.begin(
      Request(.list(Query(after: after)), allowsInteraction: false),
      by: PendingOperation.Caller(connection: connection.id, subject: subject), secrets: [])
    switch step {
    case .done(let outcome): return .done(outcome.reply)
    case .failed(let failure): return .failed(failure)
    case .gather, .derive: return .failed(Failure(.internalError))
    }
  }

  private func purge(_ found: [Owner]) -> ServerMessage {
    do throws(Failure) {
      for owner in found { try vault.purge(owner) }
    } catch { return .failed(error) }
    return .done(.done)
  }

  private func refuse(_ matter: Matter, _ failure: Failure, _ connection: ClientConnection) {
    record(matter, failure, connection, [])
    connection.finish(.failed(failure))
  }

  private func record(
    _ matter: Matter, _ failure: Failure?, _ connection: ClientConnection, _ users: [UInt32]
  ) {
    for record in records(matter, failure, connection, users) { _ = log.append(record) }
  }

  /// In the record of who did it, and of whom it is about.
  private func records(
    _ matter: Matter, _ failure: Failure?, _ connection: ClientConnection, _ users: [UInt32]
  ) -> [AuditRecord] {
    let subject = connection.subject
    let others = Set(users).subtracting([subject.user]).sorted().map { ($0, subject.name) }
    return ([(subject.user, matter.account)] + others).map { user, item in
      AuditRecord(
        time: host.date, user: user, process: subject.process,
        program: subject.executable?.path ?? [], action: matter.record, item: item, factors: [],
        failure: failure?.code)
    }
  }

  private static func failure(_ outcome: PresenceOutcome) -> Failure? {
    switch outcome {
    case .present: nil
    case .failed: Failure(.authenticationFailed)
    case .dismissed: Failure(.cancelled)
    case .nobodyToAsk: Failure(.interactionNotAllowed)
    case .ruled: Failure(.notPermitted, detail: text("only an administrator may"))
    case .unavailable: Failure(.timedOut, detail: text("polkit"))
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}

/// What of an administrator's doings needs one, and whose account it is about.
private struct Matter: Equatable {
  /// Polkit's name of it.
  let action: String
  let record: AuditRecord.Action
  let account: [UInt8]

  /// nil for what everybody may: look at the rules, and at the own names and record.
  init?(_ administration: Administration, of subject: Subject) {
    account = administration.account
    switch administration {
    case .list(let user, _):
      guard user != subject.name, !user.isEmpty else { return nil }
      (action, record) = ("org.whorl.list-others", .listOthers)
    case .log(let user, _):
      guard user != subject.name, !user.isEmpty else { return nil }
      (action, record) = ("org.whorl.export-log", .exportLog)
    case .purge: (action, record) = ("org.whorl.purge", .purge)
    case .rules(let changes):
      guard changes != RuleChanges() else { return nil }
      (action, record) = ("org.whorl.rules", .changeRules)
    }
  }
}

extension Administration {
  fileprivate var account: [UInt8] {
    switch self {
    case .list(let user, _), .log(let user, _), .purge(let user): user
    case .rules: []
    }
  }

  /// Whether it is a further page of an answer.
  fileprivate var isContinued: Bool {
    switch self {
    case .list(_, let after): after > 0
    case .log(_, let skipping): skipping > 0
    case .purge, .rules: false
    }
  }
}
