import AccessControl
import Linux
import SecretMemory
import Synchronization
import Wire

/// Keeps what a person proved, for the requests that name this context.
///
/// It has a connection of its own, and the service forgets the evidence with it, after 300 seconds,
/// and on lock, suspend or a change of the enrolled prints. Safe on every thread; requests of one
/// context run one after the other.
public final class AuthContext: Sendable {
  /// The number of the context on its connection, on which it is the only one.
  private static let number: UInt32 = 1

  package let keychain: Keychain
  let cancelEvent: CancelEvent
  private let settings: Mutex<Settings>
  /// Held while a request runs.
  private let exchange = Mutex<Exchange?>(nil)

  private struct Settings {
    var reason: [UInt8] = []
    var reuse: UInt32 = 0
    var interactionNotAllowed = false
    var applicationPassword: SecretBytes?
    var prompter: any Prompter
    var isInvalidated = false
  }

  /// - Throws: `.busy` when the process has no descriptor left.
  public init(keychain: Keychain = .shared) throws(KeychainError) {
    self.keychain = keychain
    do { cancelEvent = try CancelEvent() } catch { throw KeychainError(.exhausted) }
    settings = Mutex(Settings(prompter: keychain.prompter))
  }

  deinit { exchange.withLock { $0?.close() } }

  /// Why the person is asked, in this program's words; shown as unverified. At most 1024 bytes.
  public var reason: [UInt8] {
    get { settings.withLock { $0.reason } }
    set { settings.withLock { $0.reason = newValue } }
  }

  /// Seconds for which the evidence may serve requests outside this context, as far as the item
  /// allows: 0 to 300, more counts as 300.
  public var reuse: UInt32 {
    get { settings.withLock { $0.reuse } }
    set { settings.withLock { $0.reuse = min(newValue, AccessControl.longestReuse) } }
  }

  /// Whether requests that need a person fail at once instead.
  public var interactionNotAllowed: Bool {
    get { settings.withLock { $0.interactionNotAllowed } }
    set { settings.withLock { $0.interactionNotAllowed = newValue } }
  }

  /// The application password of the items that this context adds and reads; nil for none.
  public var applicationPassword: SecretBytes? {
    get { settings.withLock { $0.applicationPassword } }
    set { settings.withLock { $0.applicationPassword = newValue } }
  }

  /// Asks the person for this context.
  public var prompter: any Prompter {
    get { settings.withLock { $0.prompter } }
    set { settings.withLock { $0.prompter = newValue } }
  }

  /// Makes the person satisfy an access control; what was proven stays in this context.
  public func evaluate(_ control: AccessControl) throws(KeychainError) {
    try keychain.evaluate(control, context: self)
  }

  /// Whether an access control could be satisfied now. Nobody is asked.
  ///
  /// - Throws: why not.
  public func canEvaluate(_ control: AccessControl) throws(KeychainError) {
    try requireValid()
    try keychain.canEvaluate(control)
  }

  /// Stands for the set of enrolled prints: compare for equality only. nil when there are none.
  public func domainState() throws(KeychainError) -> [UInt8]? {
    try keychain.domainState()
  }

  /// Ends the request that runs now, if any, as cancelled by the program. Callable on any thread.
  public func cancel() {
    cancelEvent.fire()
  }

  /// Forgets the evidence for good: a request that runs ends as cancelled by the program, and
  /// later ones fail with `.invalidContext`. Callable on any thread, and more than once.
  public func invalidate() {
    settings.withLock { settings in
      settings.isInvalidated = true
      settings.applicationPassword = nil
    }
    cancelEvent.fire()
    // A running request closes its connection itself, once it has ended.
    _ = exchange.withLockIfAvailable { exchange in
      exchange?.close()
      exchange = nil
    }
  }

  private func requireValid() throws(KeychainError) {
    guard !settings.withLock({ $0.isInvalidated }) else { throw KeychainError(.invalidContext) }
  }

  func perform(
    _ operation: Operation, secrets: [SecretBytes], options: RequestOptions
  ) throws(KeychainError) -> Exchange.Answer {
    try exchange.withLock { exchange throws(KeychainError) in
      // A cancel ends the request that runs, not one that comes later.
      cancelEvent.reset()
      try requireValid()
      let settings = settings.withLock { $0 }
      let prompter = settings.prompter.forRequest()
      let mayAsk =
        options.allowsInteraction && !settings.interactionNotAllowed && prompter.isAvailable
      // A password that the program holds is asked of it by a prompt, which nobody sees.
      let request = Request(
        operation, context: Self.number,
        allowsInteraction: mayAsk || settings.applicationPassword != nil,
        usesAgent: options.allowsInteraction && !settings.interactionNotAllowed
          && settings.applicationPassword == nil && prompter.leavesToAgent,
        promptsWithoutAgent: prompter.isAvailable, reuse: max(options.reuse, settings.reuse),
        reason: options.reason.isEmpty ? settings.reason : options.reason)
      let call = Exchange.Call(
        request: request, secrets: secrets, applicationPassword: settings.applicationPassword,
        prompter: mayAsk ? prompter : NoPrompter(), store: keychain.store,
        mayUnlock: options.allowsInteraction && !settings.interactionNotAllowed,
        cancels: [cancelEvent] + (options.cancel.map { [$0] } ?? []))
      let open: Exchange
      if let exchange, exchange.isOpen {
        open = exchange
      } else {
        // The service was restarted: what was proven is gone, and the person is asked again.
        exchange?.close()
        open = try keychain.connect()
      }
      exchange = open
      defer {
        if self.settings.withLock({ $0.isInvalidated }) {
          open.close()
          exchange = nil
        }
      }
      do throws(ExchangeError) { return try open.run(call) } catch {
        if !error.isAnswer {
          open.close()
          exchange = nil
        }
        throw error.error
      }
    }
  }
}
