import Linux
import SecretMemory
import Wire

/// One question to a worker process over its socket.
///
/// ``cancel()``, the limit and dropping the last reference all end whatever a module is doing.
public final class WorkerClient {
  /// Texts of one transaction. A module that talks on is ended: three tries at a finger, with all
  /// their scans that saw too little, need fewer.
  private static let textLimit = 256

  private var connection: HelperConnection?
  private var onEvent: ((WorkerEvent) -> Void)?
  private var texts = 0

  /// Connects and sends the request.
  /// - Parameters:
  ///   - path: the socket of the worker's unit.
  ///   - spare: a worker that waits already, to be taken instead of a new one.
  ///   - limit: milliseconds until ``WorkerEvent/timedOut``.
  ///   - onEvent: called on the loop, never inside this initializer.
  /// - Throws: when nobody listens at `path`.
  init(
    loop: any EventLoop, path: String, spare: HelperConnection? = nil, limit: UInt64,
    request: WorkerRequest, onEvent: @escaping (WorkerEvent) -> Void
  ) throws(SystemError) {
    self.onEvent = onEvent
    let take: (HelperConnection.Event) -> Void = { [weak self] event in
      // A handler may drop the last reference from outside.
      withExtendedLifetime(self) { self?.take(event) }
    }
    if let spare {
      spare.serve(limit: limit, onEvent: take)
      connection = spare
    } else {
      connection = try HelperConnection(loop: loop, path: path, limit: limit, onEvent: take)
    }
    connection?.send(request.encoded())
  }

  /// Answers ``WorkerEvent/passcodeWanted``. The secret goes from locked memory to the kernel.
  public func send(passcode: SecretBytes) {
    connection?.send(WorkerRequest.passcode.encoded())
    connection?.send(framing: passcode)
  }

  /// Ends the worker. No event follows.
  public func cancel() {
    onEvent = nil
    connection?.close()
    connection = nil
  }

  private func take(_ event: HelperConnection.Event) {
    switch event {
    case .vanished: finish(.vanished)
    case .timedOut: finish(.timedOut)
    case .message(let message):
      do throws(DecodingError) {
        let reply = try WorkerReply(decoding: message)
        if !reply.isFinal {
          texts += 1
          guard texts <= Self.textLimit else { return finish(.vanished) }
        }
        switch reply {
        case .info(let text): onEvent?(.info(text))
        case .error(let text): onEvent?(.error(text))
        case .passcodeWanted: onEvent?(.passcodeWanted)
        case .verdict, .name, .uid, .passwordState, .passwordMark, .failure:
          finish(.answer(reply))
        }
      } catch {
        finish(.vanished)
      }
    }
  }

  private func finish(_ event: WorkerEvent) {
    let report = onEvent
    cancel()
    report?(event)
  }
}
