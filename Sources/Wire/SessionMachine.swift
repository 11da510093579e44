import AccessControl
import SecretMemory

/// One connection's side of the protocol in the daemon: a message in, an action out. It does no
/// input or output and reads no clock.
public struct SessionMachine {
  /// What the daemon is to do about a message.
  public enum Action {
    /// The connection is open for requests; answer the hello.
    case accept(ClientHello)
    /// Run the request with the secrets that came before it.
    case begin(Request, [SecretBytes])
    case shown(prompt: UInt32)
    case answer(prompt: UInt32, Factor, SecretBytes)
    case cancel
    /// The client cannot go on with the running request.
    case giveUp(FailureCode)
    case invalidate(context: UInt32)
    /// Some of a form that the running request may wait for.
    case form(FormPart)
    /// Nothing to do.
    case none
    /// Answer with the failure and close.
    case refuse(Failure)
  }

  /// Secrets that may wait for their message.
  public static let secretLimit = 2

  /// Whether secrets are here whose message is not.
  public var holdsSecrets: Bool { !pending.isEmpty }

  /// Whether the peer has said hello.
  public private(set) var isOpen = false
  private var isRunning = false
  private var pending: [SecretBytes] = []

  public init() {}

  /// Bytes of the secrets that wait for their message.
  public var secretCount: Int { pending.reduce(0) { $0 + $1.count } }

  public mutating func receive(secret: SecretBytes) -> Action {
    // Before the hello, no secret is taken.
    guard isOpen, pending.count < Self.secretLimit else {
      return .refuse(Failure(.protocolViolation))
    }
    pending.append(secret)
    return .none
  }

  /// - Parameter bytes: a whole message, its type byte first.
  public mutating func receive(message bytes: [UInt8]) -> Action {
    let message: ClientMessage
    do { message = try ClientMessage(bytes) } catch {
      return .refuse(Failure(.protocolViolation))
    }
    guard isOpen else {
      guard case .hello(let hello) = message, hello.version == ClientHello.version else {
        return .refuse(Failure(.protocolViolation))
      }
      isOpen = true
      return .accept(hello)
    }
    let secrets = pending
    pending = []
    guard secrets.count == message.secretCount else { return .refuse(Failure(.protocolViolation)) }
    switch message {
    case .hello: return .refuse(Failure(.protocolViolation))
    case .request(let request):
      guard !isRunning else { return .refuse(Failure(.protocolViolation)) }
      isRunning = true
      return .begin(request, secrets)
    case .shown(let prompt): return .shown(prompt: prompt)
    case .answer(let prompt, let factor):
      // The prompt may have ended while the answer was on its way; then it is dropped unread.
      return isRunning ? .answer(prompt: prompt, factor, secrets[0]) : .none
    case .cancel: return isRunning ? .cancel : .none
    case .giveUp(let reason): return isRunning ? .giveUp(reason) : .none
    case .invalidate(let context): return .invalidate(context: context)
    // The request may have ended while its parts were on their way.
    case .form(let part): return isRunning ? .form(part) : .none
    }
  }

  /// The running request was answered; the next one may come.
  public mutating func finish() {
    isRunning = false
  }
}

extension ClientMessage {
  /// The secrets that go before it. One more or less is no message.
  var secretCount: Int {
    switch self {
    case .request(let request): request.operation.secretCount
    case .answer: 1
    case .hello, .shown, .cancel, .giveUp, .invalidate, .form: 0
    }
  }
}

extension Operation {
  fileprivate var secretCount: Int {
    switch self {
    case .add(let item, _): item.accessControl.needsApplicationPassword ? 2 : 1
    case .update(_, let changes): changes.replacesSecret ? 1 : 0
    case .login(let login): login.step.bringsSecret ? 1 : 0
    case .read, .delete, .rearm, .show, .list, .status, .log, .lock, .evaluate, .canEvaluate,
      .domainState, .makeKey, .sign, .agree, .loginKeyring, .administer, .form, .placed, .discarded:
      0
    }
  }
}
