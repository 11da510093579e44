import Linux
import SecretMemory
import Wire

/// A connection to a helper process: frames out, frames in, and a limit for the whole of it.
///
/// Closing the socket ends the helper, so the limit and dropping the last reference end whatever
/// it is doing.
final class HelperConnection {
  enum Event {
    case message([UInt8])
    /// The socket ended, or the helper spoke no protocol. Nothing follows.
    case vanished
    /// The limit is over. Nothing follows.
    case timedOut
  }

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
  private var onEvent: ((Event) -> Void)?

  /// Connects.
  /// - Parameters:
  ///   - path: the socket of the helper's unit.
  ///   - limit: milliseconds until ``Event/timedOut``.
  ///   - onEvent: called on the loop, never inside this initializer.
  /// - Throws: when nobody listens at `path`.
  init(
    loop: any EventLoop, path: String, limit: UInt64, onEvent: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    socket = try StreamSocket(connectingTo: Array(path.utf8))
    serve(limit: limit, onEvent: onEvent)
    rewatch()
  }

  deinit { close() }

  /// Gives the connection to another holder, with a limit from now on.
  func serve(limit: UInt64, onEvent: @escaping (Event) -> Void) {
    self.onEvent = onEvent
    if let timer { loop.cancel(timer) }
    timer = loop.after(milliseconds: limit) { [weak self] in
      self?.timer = nil
      self?.finish(.timedOut)
    }
  }

  /// Sends bytes that are framed already.
  func send(_ bytes: [UInt8]) {
    append(.bytes(bytes))
  }

  /// Sends one frame from locked memory straight to the kernel.
  func send(framing secret: SecretBytes) {
    append(.bytes(WorkerFrame.header(count: secret.count)))
    append(.secret(secret))
  }

  /// Ends the helper. No event follows.
  func close() {
    onEvent = nil
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
    watch = nil
    timer = nil
    outgoing = []
    socket = nil
  }

  private func append(_ piece: Outgoing) {
    guard socket != nil else { return }
    outgoing.append(piece)
    flush()
  }

  private func handle(_ readiness: LoopReadiness) {
    if readiness.contains(.output) { flush() }
    // The last answer may lie in the socket of a peer that is gone already.
    if !readiness.isDisjoint(with: [.input, .hangUp]) { receive() }
  }

  private func flush() {
    while let socket, let first = outgoing.first {
      let (progress, count) =
        switch first {
        case .bytes(let bytes): (socket.send(bytes.span, from: sent), bytes.count)
        case .secret(let secret):
          (secret.withBytes { socket.send($0, from: sent) }, secret.count)
        }
      guard case .moved(let taken) = progress else {
        // A peer that is gone shows when its last words are read.
        if progress == .ended { outgoing = [] }
        break
      }
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
    var buffer = [UInt8](repeating: 0, count: 4096)
    var span = buffer.mutableSpan
    switch socket.receive(into: &span) {
    case .wouldBlock: break
    case .ended: finish(.vanished)
    case .moved(let count):
      inbox.append(buffer[..<count])
      deliver()
    }
  }

  private func deliver() {
    // A handler may drop the last reference from outside.
    withExtendedLifetime(self) {
      while self.socket != nil {
        do throws(DecodingError) {
          guard let message = try inbox.next() else { return }
          onEvent?(.message(message))
        } catch {
          finish(.vanished)
        }
      }
    }
  }

  private func finish(_ event: Event) {
    let report = onEvent
    close()
    report?(event)
  }

  private func rewatch() {
    let wantsOutput = !outgoing.isEmpty
    guard let socket, watch == nil || wantsOutput != isWatchingOutput else { return }
    if let watch { loop.unwatch(watch) }
    isWatchingOutput = wantsOutput
    watch = loop.watch(
      socket.descriptor, for: wantsOutput ? [.input, .output, .hangUp] : [.input, .hangUp]
    ) { [weak self] in self?.handle($0) }
  }
}
