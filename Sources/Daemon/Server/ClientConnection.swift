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
  /// Ends a peer that says no hello, leaves a frame half, or does not read.
  private var limit: TimerToken?
  /// Bytes of locked memory that secrets of this peer take.
  private var taken = 0
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
  }

  /// Serves what came with the connection, then waits for more.
  func start() {
    receive()
    guard !isClosed else { return }
    if !session.isOpen { setLimit(shared.configuration.helloLimit) }
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

  /// The answer to the running request; the next one may come after it.
  func finish(_ message: ServerMessage, secrets: [SecretBytes] = []) {
    for secret in secrets { writer.append(secret) }
    writer.append(message)
    session.finish()
    giveBack()
    flush()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let watch { shared.loop.unwatch(watch.token) }
    if let limit { shared.loop.cancel(limit) }
    giveBack()
    // Whoever still holds this connection holds no secret with it.
    (session, reader, writer) = (SessionMachine(), FrameReader(), FrameWriter())
    onClose(self)
  }

  private func ready(_ readiness: LoopReadiness) {
    if readiness.contains(.output) { flush() }
    if !isClosed, readiness.contains(.input) { receive() }
    if !isClosed, readiness.contains(.hangUp), !readiness.contains(.input) { close() }
  }

  /// One read for each turn of the loop, so that no client keeps the others waiting.
  private func receive() {
    let staging = shared.staging
    let outcome = staging.withMutableBytes { socket.receive(into: &$0) }
    switch outcome {
    case .wouldBlock: return
    case .ended: return close()
    case .moved(let count):
      // What an action sends passes through the staging memory too, so all frames are cut first.
      let (frames, problem) = cut(count)
      staging.wipe(0..<count)
      for frame in frames where !isClosed {
        switch frame {
        case .message(let message): act(session.receive(message: message))
        case .secret(let secret): act(session.receive(secret: secret))
        }
      }
      if let problem, !isClosed {
        refuse(Failure(problem == .busy ? .busy : .protocolViolation))
      }
    }
    // A hello leaves with the first answer when a request came along with it.
    flush()
    // While an answer waits, the limit is that of a peer that does not read.
    if !isClosed, session.isOpen, writer.isEmpty {
      setLimit(reader.isPartial ? shared.configuration.helloLimit : nil)
    }
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
    taken += count
    do { return try SecretBytes(count: count) } catch { throw .busy }
  }

  private func giveBack() {
    shared.budget.giveBack(taken, subject.user)
    taken = 0
  }

  private func act(_ action: SessionMachine.Action) {
    switch action {
    case .none: break
    case .accept(let hello):
      self.hello = hello
      writer.append(.hello(version: ClientHello.version))
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
      setLimit(session.isOpen ? nil : shared.configuration.helloLimit)
    } else if watch?.readiness.contains(.output) != true {
      setLimit(shared.configuration.writeLimit)
    }
    update()
  }

  /// Watches for what is wanted now: a peer that does not read is not read from either.
  private func update() {
    let readiness: LoopReadiness = writer.isEmpty ? [.input, .hangUp] : [.output, .hangUp]
    guard readiness != watch?.readiness else { return }
    if let watch { shared.loop.unwatch(watch.token) }
    let token = shared.loop.watch(socket.descriptor, for: readiness) { [weak self] in
      self?.ready($0)
    }
    watch = (token, readiness)
  }

  private func setLimit(_ milliseconds: UInt64?) {
    if let limit { shared.loop.cancel(limit) }
    limit = milliseconds.map { milliseconds in
      shared.loop.after(milliseconds: milliseconds) { [weak self] in self?.close() }
    }
  }
}
