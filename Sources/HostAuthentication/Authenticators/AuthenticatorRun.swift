import Systemd
import Wire

/// One running authentication. It goes on until its outcome or ``cancel()``; dropping it cancels
/// without a word.
public final class AuthenticatorRun {
  private let loop: any EventLoop
  private var completion: ((AuthenticatorOutcome) -> Void)?
  var worker: WorkerClient?
  var watches: [BusSlot] = []

  init(loop: any EventLoop, completion: @escaping (AuthenticatorOutcome) -> Void) {
    self.loop = loop
    self.completion = completion
  }

  public var isFinished: Bool { completion == nil }

  /// Ends the worker, and with it the claim of the reader, at once. The outcome follows on the
  /// next turn of the loop.
  public func cancel() { finish(.cancelled) }

  func finish(_ outcome: AuthenticatorOutcome) {
    guard let completion else { return }
    self.completion = nil
    worker?.cancel()
    worker = nil
    let watches = watches
    self.watches = []
    loop.after(milliseconds: 0) {
      // One of them may be the one being served when the run ended.
      withExtendedLifetime(watches) { completion(outcome) }
    }
  }
}

/// Where workers are and how long they may take.
public struct WorkerSettings: Sendable {
  /// The socket of the worker's unit.
  public var socket: String
  /// The folder of PAM service files; `nil` means the system's.
  public var directory: String?
  /// Milliseconds for one whole transaction, whatever its modules believe.
  public var limit: UInt64

  public init(socket: String, directory: String? = nil, limit: UInt64 = 45_000) {
    self.socket = socket
    self.directory = directory
    self.limit = limit
  }

  func request(_ service: WorkerService, _ target: AuthenticationTarget) -> WorkerRequest {
    .authenticate(
      WorkerRequest.Authentication(
        service: service, directory: directory, user: target.user, uid: target.uid,
        remoteHost: target.remoteHost, terminal: target.terminal))
  }
}
