import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// Drives the engine's steps for all connections: what the engine asks for is got from the prompt
/// desk, the authenticators or the stretcher, and what it answers is recorded and sent.
final class RequestRunner: PromptDeskDelegate {
  let vault: Vault
  let desk: PromptDesk
  let authenticators: any Authenticators
  private let stretcher: PasswordStretcher
  let log: AuditLog
  let host: HostFacts
  private let information: HostInformation
  let logins: LoginRunner
  let administrator: AdministrationRunner
  private(set) var running: [UInt64: RunningRequest] = [:]

  /// Nanoseconds for which a look at the asking program serves: one takes as long as a read.
  private static let lookServes: UInt64 = 100_000_000
  private static let otherProgram = Failure(
    .changedMeanwhile, detail: Array("the asking program".utf8))

  init(
    vault: Vault, desk: PromptDesk, authenticators: any Authenticators,
    stretcher: PasswordStretcher, log: AuditLog, host: HostFacts, information: HostInformation,
    logins: LoginRunner, administrator: AdministrationRunner
  ) {
    self.vault = vault
    self.desk = desk
    self.authenticators = authenticators
    self.stretcher = stretcher
    self.log = log
    self.host = host
    self.information = information
    self.logins = logins
    self.administrator = administrator
    desk.delegate = self
    administrator.hasDialog = { [weak self] in self?.isAsking($0) == true }
    administrator.willPurge = { [weak self] owner in
      self?.logins.drop(owner)
      self?.desk.endAll(of: owner.user, Failure(.changedMeanwhile))
    }
  }

  /// One message of a client's session.
  func act(_ connection: ClientConnection, _ action: SessionMachine.Action) {
    switch action {
    case .begin(let request, let secrets): begin(connection, request, secrets)
    case .shown(let prompt, let isTouchless):
      if let request = running[connection.id] {
        desk.shown(request, prompt, isTouchless: isTouchless)
      }
    case .answer(let prompt, let factor, let secret):
      if let request = running[connection.id] { desk.answer(request, prompt, factor, secret) }
    case .cancel: end(connection, .cancelled)
    case .giveUp(let reason): end(connection, reason)
    case .invalidate(let context):
      vault.invalidate(context: context, connection: connection.id)
    case .form(let part):
      if let request = running[connection.id] { take(request, part) }
    case .accept, .none, .refuse: break
    }
  }

  private func end(_ connection: ClientConnection, _ reason: FailureCode) {
    if let request = running[connection.id] { fail(request, Failure(reason)) }
    administrator.cancel(connection)
  }

  /// The client is gone: nothing is released to it, and its place in the queue is free.
  func closed(_ connection: ClientConnection) {
    if let request = running.removeValue(forKey: connection.id) {
      end(request)
      record(request.pending.request, request.pending.caller, Failure(.cancelled), [])
    }
    administrator.closed(connection)
    vault.end(connection: connection.id)
  }

  func verified(_ request: RunningRequest, _ factor: Factor) {
    if factor == .devicePasscode { host.passcodeProven(request.user) }
    resume(request, .verified(factor))
  }

  func gave(_ request: RunningRequest, applicationPassword: SecretBytes) {
    request.applicationPassword = applicationPassword
    request.gaveApplicationPassword = true
    resume(request, .applicationPassword)
  }

  func failed(_ request: RunningRequest, _ failure: Failure) {
    fail(request, failure)
  }

  private func begin(
    _ connection: ClientConnection, _ request: Request, _ secrets: [SecretBytes]
  ) {
    // A connection is that of the program that opened it, and serves no other. Before somebody is
    // asked, and before what is released for it, there is a new look.
    guard host.isUnchanged(connection.caller, sinceLast: Self.lookServes) else {
      record(request, connection.caller, Self.otherProgram, [])
      return connection.finish(.failed(Self.otherProgram))
    }
    if case .administer = request.operation {} else { administrator.interrupt(connection) }
    switch request.operation {
    case .status, .log, .lock:
      information.answer(request.operation, connection)
    case .login(let login): begin(connection, request, login, secrets)
    case .loginKeyring(let action): begin(connection, request, action)
    case .administer(let administration):
      administrator.perform(administration, request, connection)
    default:
      start(
        connection, request, secrets,
        recordable(request, connection.caller) {
          vault.begin(request, by: connection.caller, secrets: secrets)
        })
    }
  }

  /// Goes on with a request's first step.
  func start(
    _ connection: ClientConnection, _ request: Request, _ secrets: [SecretBytes], _ step: Step
  ) {
    switch step {
    case .done(let outcome):
      if case .item(let detail) = outcome.reply {
        // Looking at an item is not recorded.
        information.show(detail, connection)
      } else {
        answer(connection, request, connection.caller, outcome)
      }
    case .failed(let failure):
      record(request, connection.caller, failure, [])
      connection.finish(.failed(failure))
    case .gather(_, let pending), .derive(_, let pending), .fetch(_, let pending):
      let request = RunningRequest(connection, pending)
      // The application password of an item to be added came with it.
      request.applicationPassword = secrets.count == 2 ? secrets[0] : nil
      running[connection.id] = request
      go(request, step)
    }
  }

  func resume(_ request: RunningRequest, _ input: Input) {
    guard !request.isOver else { return }
    go(
      request,
      recordable(request.pending.request, request.pending.caller) {
        vault.resume(request.pending, input)
      })
  }

  private func go(_ request: RunningRequest, _ step: Step) {
    guard !request.isOver else { return }
    switch step {
    case .done(let outcome):
      end(request)
      if case .login = request.pending.request.operation { loggedIn(request, outcome) }
      answer(request.connection, request.pending.request, request.pending.caller, outcome)
    case .failed(let failure): fail(request, failure)
    case .gather(let gathering, _): gather(request, gathering)
    case .fetch(let forms, _): fetch(request, forms)
    case .derive(let salts, _):
      guard let password = request.applicationPassword else {
        return fail(request, Failure(.protocolViolation))
      }
      request.applicationPassword = nil
      let isWanted = { [weak request] in request?.isOver == false }
      stretcher.stretch(password, salts, for: request.user, isWanted: isWanted) {
        [weak self] keys in
        // What is over stores nothing any more.
        guard let self, !request.isOver else { return }
        guard let keys else { return fail(request, Failure(.busy)) }
        resume(request, .derived(keys))
      }
    }
  }

  /// Asks a person, once it is known that a finger can be asked for at all.
  func gather(_ request: RunningRequest, _ gathering: Gathering) {
    guard host.isUnchanged(request.pending.caller) else { return fail(request, Self.otherProgram) }
    if wantsAgent(request, gathering) { return askAgent(request, gathering) }
    let isQuestion =
      if case .canEvaluate = request.pending.request.operation { true } else { false }
    guard request.checkedBiometry || !gathering.factors.contains(.biometry) else {
      request.checkedBiometry = true
      authenticators.biometryObstacle(
        for: request.subject, origin: request.origin, isVerifiedNext: !isQuestion
      ) { [weak self] obstacle in
        guard let self, !request.isOver else { return }
        if let obstacle {
          resume(request, .obstacle(obstacle))
        } else {
          gather(request, gathering)
        }
      }
      return
    }
    request.wasUnlocked = host.facts(for: request.subject).isUnlocked
    if isQuestion {
      end(request)
      request.connection.finish(.done(.done))
    } else if !desk.enqueue(request, gathering) {
      fail(request, Failure(.busy, detail: Array("too many requests wait for you".utf8)))
    }
  }

  func fail(_ request: RunningRequest, _ failure: Failure) {
    guard !request.isOver else { return }
    if request.gaveApplicationPassword, failure.code == .authenticationFailed {
      refused(request, .applicationPassword)
    }
    end(request)
    record(request.pending.request, request.pending.caller, failure, [])
    request.connection.finish(.failed(failure))
  }

  private func end(_ request: RunningRequest) {
    request.isOver = true
    // A check that goes on, or a client that is gone, may hold it for a while.
    request.pending.forget()
    request.applicationPassword = nil
    request.agent?.cancel()
    request.agent = nil
    request.fetch?.end()
    request.fetch = nil
    running[request.connection.id] = nil
    desk.remove(request)
  }

  /// Records, then sends: what cannot be recorded is not released.
  private func answer(
    _ connection: ClientConnection, _ request: Request, _ caller: PendingOperation.Caller,
    _ outcome: Outcome
  ) {
    guard connection.reserve(outcome.secrets) else {
      let failure = Failure(.busy, detail: Array("other answers were not received yet".utf8))
      record(request, caller, failure, [])
      return connection.finish(.failed(failure))
    }
    guard !outcome.isRecorded || record(request, caller, nil, outcome.factors) else {
      // There was room for it, so the device has failed. What is released is kept back; what was
      // written stays, and the client hears so.
      let isRead = if case .read = request.operation { true } else { false }
      let done = isRead ? [] : Array("it was done, but ".utf8)
      return connection.finish(.failed(Failure(.unavailable, detail: done + Self.auditLog)))
    }
    if !outcome.unplaced.isEmpty { connection.send(.place(outcome.unplaced), flushing: false) }
    if !outcome.surplus.isEmpty {
      connection.send(.discard(ids: outcome.surplus), flushing: false)
    }
    connection.finish(.done(outcome.reply), secrets: outcome.secrets)
  }
}
