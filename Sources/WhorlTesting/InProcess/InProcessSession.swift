import AccessControl
import Crypto
import SecretMemory
import Vault
import Wire

/// The service's side of one connection: messages in, frames out. It drives the engine's steps as
/// the daemon does, with the script in the place of prompt queue and authenticators.
final class InProcessSession {
  /// A request between its first step and its answer.
  final class Running {
    let pending: PendingOperation
    var gathering: Gathering?
    var prompt: UInt32 = 0
    var isShown = false
    /// Seconds since the prompt was shown.
    var elapsed: UInt64 = 0
    var biometryEnded = false
    var denials: [Factor: Int] = [:]
    var applicationPassword: SecretBytes?
    var fetch: FormAssembly?

    init(_ pending: PendingOperation) {
      self.pending = pending
    }

    /// The factors that can be given now.
    var factors: [Factor] {
      (gathering?.factors ?? []).filter { $0 != .biometry || !biometryEnded }
    }
  }

  let service: InProcessService
  private let caller: PendingOperation.Caller
  private let life: Int
  private var machine = SessionMachine()
  private var outgoing: [Frame] = []
  private var isClosed = false
  private(set) var running: Running?

  init(_ service: InProcessService, _ caller: PendingOperation.Caller) {
    self.service = service
    self.caller = caller
    life = service.life
  }

  var isOpen: Bool { !isClosed && life == service.life }

  func close() {
    if isOpen { service.vault.end(connection: caller.connection) }
    isClosed = true
    running = nil
  }

  func nextFrame() -> Frame? {
    outgoing.isEmpty ? nil : outgoing.removeFirst()
  }

  func send(_ message: ServerMessage) {
    outgoing.append(.message(message.encoded))
  }

  func receive(_ frame: Frame) {
    switch frame {
    case .secret(let secret): act(machine.receive(secret: secret))
    case .message(let bytes): act(machine.receive(message: bytes))
    }
  }

  private func act(_ action: SessionMachine.Action) {
    switch action {
    case .accept: send(.hello(version: ClientHello.version))
    case .begin(let request, let secrets): begin(request, secrets)
    case .shown(let prompt): shown(prompt)
    case .answer(let prompt, let factor, let secret):
      guard let running, running.prompt == prompt, factor == .applicationPassword else { return }
      give(running, applicationPassword: secret)
    case .cancel: fail(Failure(.cancelled))
    case .giveUp(let reason): fail(Failure(reason))
    case .invalidate(let context):
      service.vault.invalidate(context: context, connection: caller.connection)
    case .form(let part): take(part)
    case .none: break
    case .refuse(let failure):
      send(.failed(failure))
      isClosed = true
    }
  }

  private func begin(_ request: Request, _ secrets: [SecretBytes]) {
    switch request.operation {
    case .status: finish(.status(status))
    case .lock:
      service.lockSession(true)
      finish(.done)
    case .log:
      fail(Failure(.unavailable, detail: Array("a test keychain keeps no log".utf8)))
    default:
      let step = service.vault.begin(request, by: caller, secrets: secrets)
      switch step {
      case .gather(_, let pending), .derive(_, let pending), .fetch(_, let pending):
        let running = Running(pending)
        // The application password of an item to be added came with it.
        running.applicationPassword = secrets.count == 2 ? secrets[0] : nil
        self.running = running
      case .done, .failed: break
      }
      go(step)
    }
  }

  private var status: HostStatus {
    let facts = service.host.facts(for: caller.subject)
    return HostStatus(
      biometryObstacle: facts.biometryObstacle, hasPasscode: facts.hasPasscode,
      isUnlocked: facts.isUnlocked, prints: [])
  }

  func go(_ step: Step) {
    switch step {
    case .done(let outcome): finish(outcome)
    case .fetch(let forms, _):
      running?.fetch = FormAssembly(forms)
      send(.store(.fetch(forms)))
    case .failed(let failure): fail(failure)
    case .gather(let gathering, let pending):
      if case .canEvaluate = pending.request.operation { return finish(.done) }
      show(gathering, pending)
    case .derive(let salts, let pending):
      guard let password = running?.applicationPassword else {
        return fail(Failure(.protocolViolation))
      }
      running?.applicationPassword = nil
      var keys: [SecretBytes] = []
      for salt in salts {
        guard let key = try? PasswordHash.derive(password: password, salt: salt) else {
          return fail(Failure(.busy))
        }
        keys.append(key)
      }
      go(service.vault.resume(pending, .derived(keys)))
    }
  }

  private func show(_ gathering: Gathering, _ pending: PendingOperation) {
    guard let running else { return fail(Failure(.internalError)) }
    running.gathering = gathering
    running.prompt = service.nextPrompt()
    running.isShown = false
    let prompt = Prompt(
      id: running.prompt, factors: running.factors, items: gathering.items, program: [],
      reason: pending.request.reason, reuse: gathering.reuse)
    service.authenticator.show(prompt)
    send(.step(.show(prompt)))
  }

  private func shown(_ prompt: UInt32) {
    guard let running, running.prompt == prompt else { return }
    running.isShown = true
    running.elapsed = 0
    if running.factors.contains(.biometry) { send(.step(.armed(prompt: prompt))) }
  }

  func give(_ running: Running, applicationPassword: SecretBytes) {
    guard running.factors.contains(.applicationPassword) else { return }
    running.applicationPassword = applicationPassword
    go(service.vault.resume(running.pending, .applicationPassword))
  }

  private func finish(_ outcome: Outcome) {
    if !outcome.unplaced.isEmpty { send(.store(.place(outcome.unplaced))) }
    if !outcome.surplus.isEmpty { send(.store(.discard(ids: outcome.surplus))) }
    finish(outcome.reply, secrets: outcome.secrets)
  }

  private func finish(_ reply: Reply, secrets: [SecretBytes] = []) {
    running = nil
    machine.finish()
    outgoing += secrets.map(Frame.secret)
    send(.done(reply))
  }

  func fail(_ failure: Failure) {
    running = nil
    machine.finish()
    send(.failed(failure))
  }
}
