import Linux
import SecretMemory
import Wire

/// One question to a worker process over its socket.
///
/// Closing the socket ends the worker, so ``cancel()``, the limit and dropping the last reference
/// all end whatever a module is doing.
public final class WorkerClient {
  private enum Outgoing {
    case bytes([UInt8])
    case secret(SecretBytes)
  }

  private let loop: any EventLoop
  private var socket: StreamSocket?
  private var watch: WatchToken?
  private var isWatchingOutput = false
  private var timer: TimerToken?
  private var inbox = WorkerInbox()
  private var outgoing: [Outgoing] = []
  private var sent = 0
  private var onEvent: ((WorkerEvent) -> Void)?

  /// Connects and sends the request.
  /// - Parameters:
  ///   - path: the socket of the worker's unit.
  ///   - limit: milliseconds until ``WorkerEvent/timedOut``.
  ///   - onEvent: called on the loop, never inside this initializer.
  /// - Throws: when nobody listens at `path`.
  public init(
    loop: any EventLoop, path: String, limit: UInt64, request: WorkerRequest,
    onEvent: @escaping (WorkerEvent) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onEvent = onEvent
    socket = try StreamSocket(connectingTo: path)
    timer = loop.after(milliseconds: limit) { [weak self] in
      self?.timer = nil
      self?.finish(.timedOut)
    }
    outgoing = [.bytes(request.encoded())]
    rewatch()
  }

  deinit { close() }

  /// Answers ``WorkerEvent/passcodeWanted``. The secret goes from locked memory to the kernel.
  public func send(passcode: SecretBytes) {
    guard socket != nil else { return }
    outgoing.append(.bytes(WorkerRequest.passcode.encoded()))
    outgoing.append(.bytes(WorkerFrame.header(count: passcode.count)))
    outgoing.append(.secret(passcode))
    flush()
  }

  /// Ends the worker. No event follows.
  public func cancel() {
    onEvent = nil
    close()
  }

  private func handle(_ readiness: LoopReadiness) {
    if readiness.contains(.output) { flush() }
    // The last answer may lie in the socket of a peer that is gone already.
    if !readiness.isDisjoint(with: [.input, .hangUp]) { receive() }
  }

  private func flush() {
    while let socket, let first = outgoing.first {
      let (taken, count) =
        switch first {
        case .bytes(let bytes): (socket.send(bytes.span, from: sent), bytes.count)
        case .secret(let secret):
          (secret.withBytes { socket.send($0, from: sent) }, secret.count)
        }
      // A peer that is gone shows when its last words are read.
      guard let taken else {
        outgoing = []
        break
      }
      if taken == 0 { break }
      sent += taken
      if sent == count {
        outgoing.removeFirst()
        sent = 0
      }
    }
    rewatch()
  }

  private func receive() {
    guard let socket else { return }
    switch socket.receive() {
    case .wouldBlock: break
    case .ended: finish(.vanished)
    case .bytes(let bytes):
      inbox.append(bytes)
      deliver()
    }
  }

  private func deliver() {
    // A handler may drop the last reference from outside.
    withExtendedLifetime(self) {
      while socket != nil {
        do throws(DecodingError) {
          guard let message = try inbox.next() else { return }
          let reply = try WorkerReply(decoding: message)
          switch reply {
          case .info(let text): onEvent?(.info(text))
          case .error(let text): onEvent?(.error(text))
          case .passcodeWanted: onEvent?(.passcodeWanted)
          case .verdict, .name, .uid, .passwordState, .failure: finish(.answer(reply))
          }
        } catch {
          finish(.vanished)
        }
      }
    }
  }

  private func finish(_ event: WorkerEvent) {
    let report = onEvent
    onEvent = nil
    close()
    report?(event)
  }

  private func rewatch() {
    let wantsOutput = !outgoing.isEmpty
    guard let socket, watch == nil || wantsOutput != isWatchingOutput else { return }
    if let watch { loop.unwatch(watch) }
    isWatchingOutput = wantsOutput
    watch = loop.watch(
      socket.descriptor.raw, for: wantsOutput ? [.input, .output, .hangUp] : [.input, .hangUp]
    ) { [weak self] in self?.handle($0) }
  }

  private func close() {
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
    watch = nil
    timer = nil
    outgoing = []
    socket = nil
  }
}
