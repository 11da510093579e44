import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// One client: its socket, its frames and its session machine. It decides nothing; whole requests
/// go to the ``RequestRunner``.
final class ClientConnection: TurnTaker {
  /// What all connections of the daemon share.
  final class Shared {
    let loop: any EventLoop
    var configuration: Configuration
    let budget = SecretBudget()
    /// The same for sealed forms that clients bring, in ordinary memory.
    let formBudget = SecretBudget()
    let turns: Turns
    /// Locked memory in which bytes arrive and leave, wiped after each use.
    let staging: SecretBytes

    init(loop: any EventLoop, configuration: Configuration) throws(SecretMemoryError) {
      self.loop = loop
      self.configuration = configuration
      turns = Turns(loop: loop)
      staging = try SecretBytes(count: 64 * 1024)
    }
  }

  let caller: PendingOperation.Caller
  let peer: Peer
  /// What the peer said of itself, for display.
  private(set) var hello = ClientHello()
  let shared: Shared
  private let socket: StreamSocket
  private let onAction: (ClientConnection, SessionMachine.Action) -> Void
  private let onClose: (ClientConnection) -> Void
  private var session = SessionMachine()
  private var reader = FrameReader()
  private var writer = FrameWriter()
  /// What was received and not acted on yet.
  private var frames: [FrameReader.Frame] = []
  private var problem: FrameReader.Problem?
  /// Whether it waits for its user's next turn.
  private var isWaiting = false
  private var watch: (token: WatchToken, readiness: LoopReadiness)?
  /// Ends a peer that says no hello, or leaves half said what it began.
  private var sayLimit: TimerToken?
  /// Ends a peer that does not read.
  private var readLimit: TimerToken?
  /// Bytes of locked memory that secrets of this peer take.
  private var taken = 0
  private(set) var isClosed = false

  init(
    id: UInt64, subject: Subject, peer: Peer, descriptor: OwnedDescriptor, shared: Shared,
    onAction: @escaping (ClientConnection, SessionMachine.Action) -> Void,
    onClose: @escaping (ClientConnection) -> Void
  ) {
    caller = PendingOperation.Caller(connection: id, subject: subject)
    self.peer = peer
    socket = StreamSocket(descriptor)
    self.shared = shared
    self.onAction = onAction
    self.onClose = onClose
  }

  /// Serves what came with the connection, then waits for more.
  func start() {
    sayLimit = end(after: shared.configuration.helloLimit)
    askForTurn()
  }

  var id: UInt64 { caller.connection }
  var subject: Subject { caller.subject }
  var user: UInt32 { subject.user }

  /// A step of the running request.
  func send(_ step: PromptStep) {
    writer.append(.step(step))
    flush()
  }

  /// What the running request wants of the store outside. It leaves with what follows, if not
  /// flushed.
  func send(_ step: StoreStep, flushing: Bool) {
    writer.append(.store(step))
    if flushing { flush() }
  }

  /// Counts what a request is about to release as this user's.
  ///
  /// - Returns: false when too much of the user's was not received yet.
  func reserve(_ secrets: [SecretBytes]) -> Bool {
    let count = secrets.reduce(0) { $0 + $1.count }
    guard shared.budget.take(count, subject.user) else { return false }
    taken += count
    return true
  }

  /// The answer to the running request; the next one may come after it.
  ///
  /// - Parameter secrets: were reserved.
  func finish(_ message: ServerMessage, secrets: [SecretBytes] = []) {
    for secret in secrets { writer.append(secret) }
    writer.append(message)
    session.finish()
    flush()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let watch { shared.loop.unwatch(watch.token) }
    endSayLimit()
    endReadLimit()
    // Whoever still holds this connection holds no secret with it.
    (session, reader, writer) = (SessionMachine(), FrameReader(), FrameWriter())
    frames = []
    settle()
    onClose(self)
  }

  private func ready(_ readiness: LoopReadiness) {
    if readiness.contains(.output) { flush() }
    if !isClosed, readiness.contains(.input) { askForTurn() }
    if !isClosed, readiness.contains(.hangUp), !readiness.contains(.input) { close() }
  }

  private func askForTurn() {
    guard !isWaiting else { return }
    isWaiting = true
    shared.turns.ask(self)
  }

  func takeTurn() {
    guard !isClosed else { return }
    isWaiting = false
    if frames.isEmpty { receive() }
    serve()
  }

  /// One read for each turn, so that no client keeps the others waiting.
  private func receive() {
    let staging = shared.staging
    switch staging.withMutableBytes({ socket.receive(into: &$0) }) {
    case .wouldBlock: break
    case .ended: close()
    case .moved(let count):
      // What an action sends passes through the staging memory too, so all frames are cut first.
      cut(count)
      staging.wipe(0..<count)
    }
  }

  /// Acts on what was received, up to the end of one request.
  private func serve() {
    var hasMessage = false
    var hasBegun = false
    while !isClosed, !hasBegun, !isBlocked, !frames.isEmpty {
      let action: SessionMachine.Action
      switch frames.removeFirst() {
      case .message(let message):
        action = session.receive(message: message)
        hasMessage = true
      case .secret(let secret): action = session.receive(secret: secret)
      }
      if case .begin = action { hasBegun = true }
      act(action)
    }
    // A hello leaves with the first answer when a request came along with it.
    flush()
    guard !isClosed else { return }
    if !frames.isEmpty {
      if !isBlocked { askForTurn() }
    } else if let problem {
      return refuse(Failure(problem == .busy ? .busy : .protocolViolation))
    }
    limitSaying(hasMessage)
    // What is not sent yet is on its way, and will be followed by another look.
    if writer.isEmpty { update() }
  }

  private func cut(_ count: Int) {
    do throws(FrameReader.Problem) {
      try shared.staging.withBytes { (span) throws(FrameReader.Problem) in
        var position = 0
        while let frame = try reader.next(
          span, &position, end: count,
          takeSecret: { (count) throws(FrameReader.Problem) in try takeSecret(count) })
        { frames.append(frame) }
      }
    } catch { problem = error }
  }

  private func takeSecret(_ count: Int) throws(FrameReader.Problem) -> SecretBytes {
    guard shared.budget.take(count, subject.user) else { throw .busy }
    taken += count
    do { return try SecretBytes(count: count) } catch { throw .busy }
  }

  /// Gives back what no secret of this peer takes any more.
  private func settle() {
    guard taken > 0 else { return }
    let begun = reader.secretCount + session.secretCount + writer.secretCount
    let held = frames.reduce(begun) { sum, frame in
      if case .secret(let secret) = frame { sum + secret.count } else { sum }
    }
    guard held != taken else { return }
    shared.budget.giveBack(taken - held, subject.user)
    taken = held
  }

  private func act(_ action: SessionMachine.Action) {
    switch action {
    case .none: break
    case .accept(let hello):
      self.hello = hello
      writer.append(.hello(version: ClientHello.version))
    case .refuse(let failure): refuse(failure)
    case .begin, .shown, .answer, .cancel, .giveUp, .invalidate, .form: onAction(self, action)
    }
  }

  private func refuse(_ failure: Failure) {
    writer.append(.failed(failure))
    flush()
    close()
  }

  private func flush() {
    guard !isClosed, !writer.isEmpty else { return }
    guard writer.flush(socket, staging: shared.staging), writer.waiting <= FrameWriter.limit
    else { return close() }
    settle()
    guard writer.isEmpty else {
      if readLimit == nil { readLimit = end(after: shared.configuration.writeLimit) }
      return update()
    }
    let wasBlocked = isBlocked
    if wasBlocked { endReadLimit() }
    update()
    if wasBlocked, !frames.isEmpty { askForTurn() }
  }

  /// What was begun must be whole in time, however slowly it comes; what is whole ends the time.
  private func limitSaying(_ hasMessage: Bool) {
    guard session.isOpen else { return }
    let isHalf = frames.isEmpty && (reader.isPartial || session.holdsSecrets)
    if sayLimit != nil, hasMessage || !isHalf { endSayLimit() }
    if isHalf, sayLimit == nil { sayLimit = end(after: shared.configuration.helloLimit) }
  }

  /// Whether the peer has not taken yet what was sent.
  private var isBlocked: Bool { readLimit != nil }

  /// Watches for what is wanted now: a peer that does not read is not read from either. One whose
  /// turn has not come stays watched, as its turn is nearer than two calls for each of them.
  private func update() {
    guard !isClosed else { return }
    let readiness: LoopReadiness = writer.isEmpty ? [.input, .hangUp] : [.output, .hangUp]
    guard readiness != watch?.readiness else { return }
    if let watch { shared.loop.unwatch(watch.token) }
    let token = shared.loop.watch(socket.descriptor, for: readiness) { [weak self] in
      self?.ready($0)
    }
    watch = (token, readiness)
  }

  private func end(after milliseconds: UInt64) -> TimerToken {
    shared.loop.after(milliseconds: milliseconds) { [weak self] in self?.close() }
  }

  private func endSayLimit() {
    if let sayLimit { shared.loop.cancel(sayLimit) }
    sayLimit = nil
  }

  private func endReadLimit() {
    if let readLimit { shared.loop.cancel(readLimit) }
    readLimit = nil
  }
}
