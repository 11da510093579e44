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
  /// Whether a dialog of the same user waits that is none of these.
  var hasDialog: (UInt32) -> Bool = { _ in false }
  /// Called for each owner before what is kept for it goes.
  var willPurge: (Owner) -> Void = { _ in }
  /// Questions that go on, by connection.
  private var checks:
    [UInt64: (connection: ClientConnection, matter: Matter, check: PresenceCheck)] =
      [:]
  /// The next page that each connection may have of what it was allowed.
  private var pages: [UInt64: NextPage] = [:]

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
    let page = pages.removeValue(forKey: connection.id)
    let subject = connection.subject
    guard let matter = Matter(administration, of: subject) else {
      return run(administration, nil, isNext: false, connection)
    }
    if case .rules(let changes) = administration, rules.isLooser(changes) {
      let detail = Self.text("the configuration is stricter")
      return refuse(matter, Failure(.notPermitted, detail: detail), connection)
    }
    let offset = administration.offset
    let isNext = page?.serves(matter, from: offset, now: SteadyClock.milliseconds()) == true
    if subject.user == 0 || isNext {
      return run(administration, matter, isNext: isNext, connection)
    }
    guard !isAsking(subject.user), !hasDialog(subject.user) else {
      return refuse(matter, Failure(.busy, detail: Self.text("another dialog waits")), connection)
    }
    guard let started = ProcessFacts.started(subject.process, of: subject.user) else {
      return refuse(matter, Failure(.changedMeanwhile), connection)
    }
    var isOver = false
    let check = polkit.ask(
      PolkitAuthority.Question(
        process: subject.process, started: started, user: subject.user,
        program: displayText(subject.executable?.path ?? []),
        item: matter.items.map { displayText($0) }.joined(separator: ", "),
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
      run(administration, matter, isNext: false, connection)
    }
    if !isOver { checks[connection.id] = (connection, matter, check) }
  }

  /// Whether a dialog of the user's waits.
  func isAsking(_ user: UInt32) -> Bool {
    checks.values.contains { $0.connection.subject.user == user }
  }

  /// The client asks for something else: no further page is the answer to what was allowed.
  func interrupt(_ connection: ClientConnection) { pages[connection.id] = nil }

  /// The client does not wait any more.
  func cancel(_ connection: ClientConnection) {
    guard let (_, matter, check) = checks.removeValue(forKey: connection.id) else { return }
    check.cancel()
    refuse(matter, Failure(.cancelled), connection)
  }

  func closed(_ connection: ClientConnection) {
    pages[connection.id] = nil
    guard let (_, matter, check) = checks.removeValue(forKey: connection.id) else { return }
    check.cancel()
    _ = record(matter, Failure(.cancelled), connection, [])
  }

  private func run(
    _ administration: Administration, _ matter: Matter?, isNext: Bool,
    _ connection: ClientConnection
  ) {
    if case .rules(let changes) = administration { return change(changes, matter, connection) }
    let account = administration.account
    find(account.isEmpty ? connection.subject.name : account) { [weak self] found in
      guard let self else { return }
      if connection.isClosed {
        if let matter { _ = record(matter, Failure(.cancelled), connection, []) }
        return
      }
      switch found {
      case .failure(let failure):
        if let matter { return refuse(matter, failure, connection) }
        connection.finish(.failed(failure))
      case .success(let found):
        answer(administration, of: found, matter, isNext: isNext, connection)
      }
    }
  }

  private func change(_ changes: RuleChanges, _ matter: Matter?, _ connection: ClientConnection) {
    if let matter {
      if let failure = record(matter, connection, []) {
        return connection.finish(.failed(failure))
      }
      guard rules.change(changes) else {
        return refuse(matter, Failure(.unavailable, detail: Self.text("the rules")), connection)
      }
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
    _ administration: Administration, of found: [Owner], _ matter: Matter?, isNext: Bool,
    _ connection: ClientConnection
  ) {
    let owner = found[0]
    let users = found.map(\.user)
    // Also before the record is read, so that further pages of it go on where this one ends.
    if let matter, !isNext, let failure = record(matter, connection, users) {
      return connection.finish(.failed(failure))
    }
    let message: ServerMessage
    var next: UInt64?
    switch administration {
    case .list(_, let after):
      message = list(owner, after: after, connection)
      if case .done(.items(let rows)) = message { next = rows.last?.row }
    case .log(_, let skipping):
      let records = log.records(
        of: owner.user, limit: Limits.page, skipping: Int(clamping: skipping))
      message = .done(.records(records))
      if !records.isEmpty { next = UInt64(skipping) + UInt64(records.count) }
    case .purge: message = purge(found)
    case .rules: message = .failed(Failure(.internalError))
    }
    if let matter {
      if case .failed(let failure) = message { return refuse(matter, failure, connection, users) }
      pages[connection.id] = next.map {
        NextPage(matter, from: $0, now: SteadyClock.milliseconds())
      }
    }
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
    case .gather, .derive, .fetch: return .failed(Failure(.internalError))
    }
  }

  private func purge(_ found: [Owner]) -> ServerMessage {
    do throws(Failure) {
      for owner in found {
        willPurge(owner)
        try vault.purge(owner)
      }
    } catch { return .failed(error) }
    return .done(.done)
  }

  private func refuse(
    _ matter: Matter, _ failure: Failure, _ connection: ClientConnection, _ users: [UInt32] = []
  ) {
    // Nothing is done, so nothing depends on its record.
    _ = record(matter, failure, connection, users)
    connection.finish(.failed(failure))
  }

  /// Records what is about to be done: what cannot be recorded is not done.
  ///
  /// - Returns: why not.
  private func record(
    _ matter: Matter, _ connection: ClientConnection, _ users: [UInt32]
  ) -> Failure? {
    let detail = Self.text("the audit log cannot be written")
    let records = Dictionary(grouping: records(matter, nil, connection, users), by: \.user)
    for (user, records) in records {
      let count = records.reduce(0) { $0 + AuditLogFile.room(for: $1) }
      do throws(SystemError) { try log.makeRoom(count, for: user) } catch {
        let isFull = StorageError(error) == .full
        return Failure(isFull ? .storageFull : .unavailable, detail: detail)
      }
    }
    guard record(matter, nil, connection, users) else {
      let failure = Failure(.unavailable, detail: detail)
      // A part of it may stand there.
      _ = record(matter, failure, connection, users)
      return failure
    }
    return nil
  }

  /// - Returns: whether all was written.
  private func record(
    _ matter: Matter, _ failure: Failure?, _ connection: ClientConnection, _ users: [UInt32]
  ) -> Bool {
    records(matter, failure, connection, users).reduce(true) { log.append($1) && $0 }
  }

  /// In the record of who did it, and of whom it is about.
  private func records(
    _ matter: Matter, _ failure: Failure?, _ connection: ClientConnection, _ users: [UInt32]
  ) -> [AuditRecord] {
    let subject = connection.subject
    let own = matter.items.map { (subject.user, $0) }
    let others = Set(users).subtracting([subject.user]).sorted().map { ($0, subject.name) }
    return (own + others).map { user, item in
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
