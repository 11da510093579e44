import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// One client: its socket, its frames and its session machine. It decides nothing; whole requests
/// go to the ``RequestRunner``.
final class ClientConnection {
  /// What all connections of the daemon share.
  final class Shared {
    let loop: any EventLoop
    var configuration: Configuration
    let budget = SecretBudget()
    let share = TurnShare()
    /// Locked memory in which bytes arrive and leave, wiped after each use.
    let staging: SecretBytes

    init(loop: any EventLoop, configuration: Configuration) throws(SecretMemoryError) {
      self.loop = loop
      self.configuration = configuration
      staging = try SecretBytes(count: 64 * 1024)
    }
  }

  let id: UInt64
  let subject: Subject
  let peer: Peer
  /// What the peer said of itself, for display.
  private(set) var hello = ClientHello()
  private let shared: Shared
  private let socket: StreamSocket
  private let onAction: (ClientConnection, SessionMachine.Action) -> Void
  private let onClose: (ClientConnection) -> Void
  private var session = SessionMachine()
  private var reader = FrameReader()
  private var writer = FrameWriter()
  private var watch: (token: WatchToken, readiness: LoopReadiness)?
  /// Frames that are here and were not acted on, and what comes after them.
  private var arrived: ArraySlice<FrameReader.Frame> = []
  private var arrivedProblem: FrameReader.Problem?
  private var willAct = false
  /// Ends a peer that says no hello, or leaves half said what it began.
  private var sayLimit: TimerToken?
  /// Ends a peer that does not read.
  private var readLimit: TimerToken?
  /// Bytes of locked memory that secrets from this peer take, and those on their way to it.
  private var taken = (received: 0, sent: 0)
  private(set) var isClosed = false

  init(
    id: UInt64, subject: Subject, peer: Peer, descriptor: OwnedDescriptor, shared: Shared,
    onAction: @escaping (ClientConnection, SessionMachine.Action) -> Void,
    onClose: @escaping (ClientConnection) -> Void
  ) {
    self.id = id
    self.subject = subject
    self.peer = peer
    socket = StreamSocket(descriptor)
    self.shared = shared
    self.onAction = onAction
    self.onClose = onClose
    sayLimit = end(after: shared.configuration.helloLimit)
    update()
  }

  var caller: PendingOperation.Caller {
    PendingOperation.Caller(connection: id, subject: subject)
  }

  /// A step of the running request.
  func send(_ step: PromptStep) {
    writer.append(.step(step))
    flush()
  }

  /// Takes the memory for secrets that are to be sent, in place of that of the secrets received.
  ///
  /// - Returns: false when there is none; then they must not be sent.
  func makeRoom(for secrets: [SecretBytes]) -> Bool {
    let count = secrets.reduce(0) { $0 + $1.count }
    giveBackReceived()
    guard shared.budget.take(count, subject.user) else { return false }
    taken.sent += count
    return true
  }

  /// The answer to the running request; the next one may come after it. For secrets there must
  /// be room.
  func finish(_ message: ServerMessage, secrets: [SecretBytes] = []) {
    for secret in secrets { writer.append(secret) }
    writer.append(message)
    session.finish()
    giveBackReceived()
    flush()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let watch { shared.loop.unwatch(watch.token) }
    for limit in [sayLimit, readLimit] {
      if let limit { shared.loop.cancel(limit) }
    }
    giveBackReceived()
    giveBackSent()
    onClose(self)
  }

  private func ready(_ readiness: LoopReadiness) {
    if readiness.contains(.output) { flush() }
    if !isClosed, readiness.contains(.input) { receive() }
    if !isClosed, readiness.contains(.hangUp), !readiness.contains(.input) { close() }
  }

  /// One read for each turn of the loop, so that no client keeps the others waiting.
  private func receive() {
    guard arrived.isEmpty else { return }
    let staging = shared.staging
    let outcome = staging.withMutableBytes { socket.receive(into: &$0) }
    switch outcome {
    case .wouldBlock: return
    case .ended: return close()
    case .moved(let count):
      // What an action sends passes through the staging memory too, so all frames are cut first.
      let (frames, problem) = cut(count)
      staging.wipe(0..<count)
      arrived = frames[...]
      arrivedProblem = problem
      act()
    }
  }

  /// Acts on what arrived, up to one request in a turn of the loop and its user's share of it, and
  /// on none while the peer does not read: what clients send at once must cost others no more.
  private func act() {
    var hasMessage = false
    var hasRequest = false
    while !isClosed, !isStuck, !hasRequest, !arrived.isEmpty,
      shared.share.hasRoom(subject.user, turn: shared.loop.turnCount),
      let frame = arrived.popFirst()
    {
      switch frame {
      case .secret(let secret): act(session.receive(secret: secret))
      case .message(let message):
        let action = session.receive(message: message)
        hasMessage = true
        if case .begin = action {
          hasRequest = true
          shared.share.take(subject.user, turn: shared.loop.turnCount)
        }
        act(action)
      }
    }
    guard !isClosed else { return }
    limitSaying(hasMessage)
    if !arrived.isEmpty {
      // What is stuck goes on when the peer has read.
      if !isStuck { actLater() }
      update()
    } else if let problem = arrivedProblem {
      refuse(Failure(problem == .busy ? .busy : .protocolViolation))
    } else {
      update()
    }
  }

  private func actLater() {
    guard !willAct else { return }
    willAct = true
    shared.loop.after(milliseconds: 0) { [weak self] in
      self?.willAct = false
      self?.act()
    }
  }

  /// What was begun must be whole in time, however slowly it comes; what is whole ends the time.
  private func limitSaying(_ hasMessage: Bool) {
    guard session.isOpen else { return }
    let isHalf = arrived.isEmpty && (reader.isPartial || session.holdsSecrets)
    if hasMessage || !isHalf, let limit = sayLimit {
      shared.loop.cancel(limit)
      sayLimit = nil
    }
    if isHalf, sayLimit == nil { sayLimit = end(after: shared.configuration.writeLimit) }
  }

  private func cut(_ count: Int) -> ([FrameReader.Frame], FrameReader.Problem?) {
    var frames: [FrameReader.Frame] = []
    do throws(FrameReader.Problem) {
      try shared.staging.withBytes { (span) throws(FrameReader.Problem) in
        var position = 0
        while let frame = try reader.next(
          span, &position, end: count,
          takeSecret: { (count) throws(FrameReader.Problem) in try takeSecret(count) })
        { frames.append(frame) }
      }
      return (frames, nil)
    } catch { return (frames, error) }
  }

  private func takeSecret(_ count: Int) throws(FrameReader.Problem) -> SecretBytes {
    guard shared.budget.take(count, subject.user) else { throw .busy }
    taken.received += count
    do { return try SecretBytes(count: count) } catch { throw .busy }
  }

  private func giveBackReceived() {
    shared.budget.giveBack(taken.received, subject.user)
    taken.received = 0
  }

  private func giveBackSent() {
    shared.budget.giveBack(taken.sent, subject.user)
    taken.sent = 0
  }

  private func act(_ action: SessionMachine.Action) {
    switch action {
    case .none: break
    case .accept(let hello):
      self.hello = hello
      writer.append(.hello(version: ClientHello.version))
      // It leaves with the first answer when a request came along with the hello.
      shared.loop.after(milliseconds: 0) { [weak self] in self?.flush() }
    case .refuse(let failure): refuse(failure)
    case .begin, .shown, .answer, .cancel, .invalidate: onAction(self, action)
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
    if writer.isEmpty {
      giveBackSent()
      if let readLimit { shared.loop.cancel(readLimit) }
      readLimit = nil
      if !arrived.isEmpty { actLater() }
    } else if readLimit == nil {
      readLimit = end(after: shared.configuration.writeLimit)
    }
    update()
  }

  /// Whether the peer leaves unread what was sent.
  private var isStuck: Bool { readLimit != nil }

  /// Watches for what is wanted now: a peer that does not read is not read from either, nor one
  /// that has said more than was acted on.
  private func update() {
    let readiness: LoopReadiness =
      isStuck ? [.output, .hangUp] : arrived.isEmpty ? [.input, .hangUp] : .hangUp
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
}
