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
    /// Any of them ends the request.
    var cancels: [CancelEvent] = []
  }

  struct Answer {
    var reply: Reply
    var secrets: [SecretBytes]
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
    var turn = PromptTurn(call)
    defer { turn.end() }
    do {
      do throws(KeychainError) { try sendRequest(call) } catch {
        throw error.problem == .closed ? lastWord() ?? error : error
      }
      var secrets: [SecretBytes] = []
      while true {
        switch try connection.receive(
          watching: turn.descriptors, until: SteadyClock.milliseconds() + Self.silence)
        {
        case .timedOut: throw KeychainError(.silent)
        case .readable(let descriptor): try connection.send(turn.input(at: descriptor))
        case .frame(.secret(let secret)):
          guard secrets.count < Limits.items else { throw KeychainError(.malformed) }
          secrets.append(secret)
        case .frame(.message(let bytes)):
          switch try message(bytes) {
          case .hello(let version): try greeted(version)
          case .step(let step):
            try requireGreeting()
            try connection.send(turn.take(step))
          case .done(let reply):
            try requireGreeting()
            try check(reply, secrets)
            if let error = turn.cancelled { throw ExchangeError(error, isAnswer: true) }
            return Answer(reply: reply, secrets: secrets)
          case .failed(let failure):
            throw ExchangeError(turn.cancelled ?? KeychainError(failure), isAnswer: true)
          }
        }
        if let error = turn.cancelled { try finish(error) }
      }
    } catch let error as KeychainError {
      throw ExchangeError(turn.cancelled ?? error, isAnswer: false)
    } catch let error as ExchangeError {
      throw error
    } catch {
      throw ExchangeError(KeychainError(.internalError), isAnswer: false)
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
    try connection.send(frames)
  }

  /// Why the service ended the connection before it took all that was sent, if it said so.
  private func lastWord() -> KeychainError? {
    let deadline = SteadyClock.milliseconds() + Self.farewell
    while case .frame(.message(let bytes))? = try? connection.receive(
      watching: [], until: deadline)
    {
      if case .failed(let failure)? = try? message(bytes) { return KeychainError(failure) }
    }
    return nil
  }

  /// After a cancel, waits a moment for the final answer and drops whatever it releases.
  private func finish(_ error: KeychainError) throws -> Never {
    let deadline = SteadyClock.milliseconds() + Self.farewell
    while case .frame(let frame) = try connection.receive(watching: [], until: deadline) {
      guard case .message(let bytes) = frame else { continue }
      switch try message(bytes) {
      case .hello(let version): try greeted(version)
      case .step: continue
      case .done, .failed: throw ExchangeError(error, isAnswer: true)
      }
    }
    throw ExchangeError(error, isAnswer: false)
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

  init(_ error: KeychainError, isAnswer: Bool) {
    self.error = error
    self.isAnswer = isAnswer
  }
}
