import AccessControl
import Linux
import SecretMemory
import Synchronization
import Wire

/// The items of this process's user, as the service keeps them.
///
/// Every call blocks its thread until the service has answered, which may take as long as a person
/// does; the `async` forms run the call on a thread of its own. Safe on every thread; calls on
/// several threads use several connections.
public final class Keychain: Sendable {
  private static let current = Mutex<Keychain?>(nil)

  /// The keychain that is used where none is named; it asks on the terminal, and
  /// without one on the desktop. Set it to put another transport in its place,
  /// in a test for instance.
  public static var shared: Keychain {
    get {
      current.withLock { current in
        if let current { return current }
        let keychain = Keychain(prompter: PersonPrompting(), defaultStore: .settled)
        current = keychain
        return keychain
      }
    }
    set { current.withLock { $0 = newValue } }
  }

  public let transport: any Transport
  /// Asks the person for requests without an auth context, and for contexts without their own.
  public let prompter: any Prompter
  /// Where the items are that the service does not keep itself.
  public let store: any OutsideStore
  /// Where items are kept of which nothing else is said.
  public let defaultStore: DefaultStore
  /// How this program introduces itself.
  public let hello: ClientHello
  private let idle = Mutex<Exchange?>(nil)
  /// Whether the store outside did not take back what it was to drop.
  let hasLeftForms = Mutex(false)

  /// - Parameters:
  ///   - groups: the program's access groups, its default first; no boundary, a namespace.
  ///   - via: the program on whose behalf this one asks, for display only.
  public init(
    transport: any Transport = SocketTransport(), prompter: any Prompter = NoPrompter(),
    groups: [[UInt8]] = [], via: [UInt8] = [],
    store: any OutsideStore = SecretServiceItemStore(), defaultStore: DefaultStore = .own
  ) {
    self.defaultStore = defaultStore
    self.store = store
    self.transport = transport
    self.prompter = prompter
    hello = ClientHello(groups: groups, via: via)
  }

  deinit { idle.withLock { $0?.close() } }

  func connect() throws(KeychainError) -> Exchange {
    Exchange(try transport.connect(), hello: hello)
  }

  /// Runs a request that names no auth context, on a connection that is kept for the next.
  func runOneShot(_ call: Exchange.Call) throws(KeychainError) -> Exchange.Answer {
    let kept = idle.withLock { idle in
      defer { idle = nil }
      return idle
    }
    if let kept {
      do throws(ExchangeError) { return try run(call, on: kept) } catch {
        guard error.isUnheard else { throw error.error }
      }
    }
    let fresh = try connect()
    do throws(ExchangeError) { return try run(call, on: fresh) } catch { throw error.error }
  }

  private func run(
    _ call: Exchange.Call, on exchange: Exchange
  ) throws(ExchangeError) -> Exchange.Answer {
    do throws(ExchangeError) {
      let answer = try exchange.run(call)
      keep(exchange)
      return answer
    } catch {
      if error.isAnswer { keep(exchange) } else { exchange.close() }
      throw error
    }
  }

  private func keep(_ exchange: Exchange) {
    guard exchange.isGreeted else { return exchange.close() }
    let surplus = idle.withLock { idle in
      defer { if idle == nil { idle = exchange } }
      return idle == nil ? nil : exchange
    }
    surplus?.close()
  }

  /// Sends one operation, in an auth context or in one of its own.
  func perform(
    _ operation: Operation, secrets: [SecretBytes] = [], options: RequestOptions,
    context: AuthContext?
  ) throws(KeychainError) -> Exchange.Answer {
    var answer: Exchange.Answer
    do throws(KeychainError) {
      answer = try performOnce(operation, secrets, options, context)
    } catch {
      // Somebody may have written the item while its earlier form was looked for.
      guard error.keyring == .missing else { throw error }
      answer = try performOnce(operation, secrets, options, context)
    }
    answer.placingProblem = settle(answer.work, options, context)
    return answer
  }

  private func performOnce(
    _ operation: Operation, _ secrets: [SecretBytes], _ options: RequestOptions,
    _ context: AuthContext?
  ) throws(KeychainError) -> Exchange.Answer {
    if let context { return try context.perform(operation, secrets: secrets, options: options) }
    return try performAlone(operation, secrets, options)
  }

  private func performAlone(
    _ operation: Operation, _ secrets: [SecretBytes], _ options: RequestOptions
  ) throws(KeychainError) -> Exchange.Answer {
    guard options.reuse <= AccessControl.longestReuse else { throw KeychainError(.badParameter) }
    let prompter = prompter.forRequest()
    let request = Request(
      operation, allowsInteraction: options.allowsInteraction && prompter.isAvailable,
      usesAgent: options.allowsInteraction && prompter.leavesToAgent,
      promptsWithoutAgent: prompter.isAvailable, reuse: options.reuse, reason: options.reason)
    return try runOneShot(
      Exchange.Call(
        request: request, secrets: secrets, prompter: prompter, store: store,
        mayUnlock: options.allowsInteraction,
        cancels: options.cancel.map { [$0] } ?? []))
  }
}

/// How a request without an auth context may be authenticated.
public struct RequestOptions: Sendable {
  /// Whether a person may be asked; without, a request that needs one fails at once.
  public var allowsInteraction: Bool
  /// Why, in this program's words; shown as unverified. At most 1024 bytes.
  public var reason: [UInt8]
  /// Seconds for which the evidence may serve later requests, 0 to 300, as far as the item allows.
  public var reuse: UInt32
  /// Ends this request alone when it fires.
  package var cancel: CancelEvent?

  public init(allowsInteraction: Bool = true, reason: [UInt8] = [], reuse: UInt32 = 0) {
    self.allowsInteraction = allowsInteraction
    self.reason = reason
    self.reuse = reuse
  }
}
