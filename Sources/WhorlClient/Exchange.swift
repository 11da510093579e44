import AccessControl
import Linux
import SecretMemory
import Synchronization
import Wire

/// The client's side of one connection: says hello, then runs one request at a time.
final class Exchange: Sendable {
  /// Milliseconds of silence after which the service counts as gone. It answers or says something
  /// more often than that, also while a person thinks.
  static let silence: Int64 = 60_000
  /// Milliseconds for the answer to a cancel, which keeps the connection usable.
  private static let farewell: Int64 = 1_000
  /// Milliseconds for that of a request that is made anew; nobody waits to leave.
  private static let resumption: Int64 = 10_000

  private let connection: any Connection
  private let hello: ClientHello
  private let greeting = Mutex(Greeting.unsaid)

  private enum Greeting { case unsaid, said, answered }

  /// One request with all that may be needed while it runs.
  struct Call {
    var request: Request
    var secrets: [SecretBytes] = []
    /// Answers prompts for the item's own password without a person.
    var applicationPassword: SecretBytes?
    var prompter: any Prompter
    /// Where sealed forms are got that the service does not keep.
    var store: any OutsideStore
    /// Whether the person may be asked to unlock that store.
    var mayUnlock = true
    /// Any of them ends the request.
    var cancels: [CancelEvent] = []
  }

  struct Answer {
    var reply: Reply
    var secrets: [SecretBytes]
    /// What the store outside is to be told of, now that the request is over.
    var work = StoreWork()
    /// Why the store outside did not take what was written.
    var placingProblem: KeychainError?
  }

  init(_ connection: any Connection, hello: ClientHello) {
    self.connection = connection
    self.hello = hello
  }

  var isOpen: Bool { connection.isOpen }

  func close() { connection.close() }

  /// Runs one request to its end. After an error the connection may only be closed, unless the
  /// error is the service's own answer.
  func run(_ call: Call) throws(ExchangeError) -> Answer {
    var call = call
    var turn = PromptTurn(call)
    defer { turn.end() }
    do {
      try sendFirst(call)
      var secrets: [SecretBytes] = []
      var work = StoreWork()
      while true {
        switch try connection.receive(
          watching: turn.descriptors, until: SteadyClock.milliseconds() + Self.silence)
        {
        case .timedOut: throw KeychainError(.silent)
        case .readable(let descriptor): try connection.send(turn.input(at: descriptor))
        case .frame(let frame):
          guard let message = try take(frame, &secrets) else { continue }
          if case .step(let step) = message {
            try connection.send(turn.take(step))
          } else if case .store(let step) = message {
            try connection.send(take(step, call, &turn, work))
          } else if !turn.heardOfStop(before: message) {
            var answer = try answer(message, secrets, turn.cancelled)
            answer.work = work
            return answer
          } else {
            work = StoreWork()
            try startAnew(&call, &turn, &secrets)
          }
        }
        if let error = turn.cancelled {
          let last = try lastMessage(&secrets, within: Self.farewell)
          throw ExchangeError(error, isAnswer: last != nil)
        }
        if turn.wasStopped {
          guard let last = try lastMessage(&secrets, within: Self.resumption) else {
            throw KeychainError(.silent)
          }
          // What the person did before the stop counts.
          guard last.isEndOfPrompt else { return try answer(last, secrets, nil) }
          work = StoreWork()
          try startAnew(&call, &turn, &secrets)
        }
      }
    } catch let error as KeychainError {
      throw ExchangeError(turn.cancelled ?? error, isAnswer: false)
    } catch let error as ExchangeError {
      throw error
    } catch {
      throw ExchangeError(KeychainError(.internalError), isAnswer: false)
    }
  }

  /// Whether the service has taken the connection. One that it refused, it closes.
  var isGreeted: Bool { greeting.withLock { $0 == .answered } }

  /// Sends the request. A service that has closed the connection since the last one, as it does when
  /// it is restarted, has not heard of it.
  private func sendFirst(_ call: Call) throws(ExchangeError) {
    let isUsed = isGreeted
    do throws(KeychainError) { try sendRequest(call) } catch {
      throw ExchangeError(
        error, isAnswer: false, isUnheard: isUsed && error.problem == .closed)
    }
  }

  private func sendRequest(_ call: Call) throws(KeychainError) {
    var frames: [Frame] = []
    greeting.withLock { greeting in
      guard greeting == .unsaid else { return }
      frames.append(.message(ClientMessage.hello(hello).encoded))
      greeting = .said
    }
    frames += call.secrets.map(Frame.secret)
    frames.append(.message(ClientMessage.request(call.request).encoded))
    do { try connection.send(frames) } catch {
      // What a service says as it closes a new connection is the answer.
      let isNew = greeting.withLock { $0 == .said }
      throw isNew && error.problem == .closed ? refusal() ?? error : error
    }
  }

  /// Why a service ended the connection before it took all that was sent, if it said so.
  private func refusal() -> KeychainError? {
    let deadline = SteadyClock.milliseconds() + Self.farewell
    while case .frame(.message(let bytes))? = try? connection.receive(
      watching: [], until: deadline)
    {
      if case .failed(let failure)? = try? message(bytes) { return KeychainError(failure) }
    }
    return nil
  }

  private func startAnew(
    _ call: inout Call, _ turn: inout PromptTurn, _ secrets: inout [SecretBytes]
  ) throws(KeychainError) {
    secrets = []
    turn.start(anew: &call)
    try sendRequest(call)
  }

  /// A step or the last message of the request; nil for what only comes before.
  private func take(
    _ frame: Frame, _ secrets: inout [SecretBytes]
  ) throws(KeychainError) -> ServerMessage? {
    switch frame {
    case .secret(let secret):
      guard secrets.count < Limits.items else { throw KeychainError(.malformed) }
      secrets.append(secret)
      return nil
    case .message(let bytes):
      let message = try message(bytes)
      switch message {
      case .hello(let version):
        try greeted(version)
        return nil
      case .step, .done, .store: try requireGreeting()
      // A service that refuses the hello says no more than this.
      case .failed: break
      }
      return message
    }
  }

  private func answer(
    _ message: ServerMessage, _ secrets: [SecretBytes], _ cancelled: KeychainError?
  ) throws -> Answer {
    switch message {
    case .done(let reply):
      try check(reply, secrets)
      if let cancelled { throw ExchangeError(cancelled, isAnswer: true) }
      return Answer(reply: reply, secrets: secrets)
    case .failed(let failure):
      throw ExchangeError(cancelled ?? KeychainError(failure), isAnswer: true)
    case .hello, .step, .store: throw KeychainError(.malformed)
    }
  }

  /// After a cancel, waits for the last message of the request; nil when none comes in time.
  private func lastMessage(
    _ secrets: inout [SecretBytes], within milliseconds: Int64
  ) throws(KeychainError) -> ServerMessage? {
    let deadline = SteadyClock.milliseconds() + milliseconds
    while case .frame(let frame) = try connection.receive(watching: [], until: deadline) {
      guard let message = try take(frame, &secrets) else { continue }
      switch message {
      case .step, .store: continue
      case .hello, .done, .failed: return message
      }
    }
    return nil
  }

  private func message(_ bytes: [UInt8]) throws(KeychainError) -> ServerMessage {
    do { return try ServerMessage(bytes) } catch { throw KeychainError(.malformed) }
  }

  private func greeted(_ version: UInt32) throws(KeychainError) {
    guard version == ClientHello.version else { throw KeychainError(.version(version)) }
    let isFirst = greeting.withLock { greeting in
      defer { greeting = .answered }
      return greeting == .said
    }
    guard isFirst else { throw KeychainError(.malformed) }
  }

  private func requireGreeting() throws(KeychainError) {
    guard greeting.withLock({ $0 == .answered }) else { throw KeychainError(.malformed) }
  }

  /// As many secrets as the reply says, and none with any other.
  private func check(_ reply: Reply, _ secrets: [SecretBytes]) throws(KeychainError) {
    let expected = if case .secrets(let count) = reply { Int(count) } else { 0 }
    guard secrets.count == expected else { throw KeychainError(.malformed) }
  }
}

/// How a request ended without an answer that helps.
struct ExchangeError: Error {
  let error: KeychainError
  /// Whether the service ended the request, so that the connection can serve the next.
  let isAnswer: Bool
  /// Whether the service had closed the connection before, so that the request can be made anew.
  let isUnheard: Bool

  init(_ error: KeychainError, isAnswer: Bool, isUnheard: Bool = false) {
    self.error = error
    self.isAnswer = isAnswer
    self.isUnheard = isUnheard
  }
}
