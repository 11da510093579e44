import AccessControl
import Synchronization
import WhorlKit

/// Something that a person must be authorized for.
///
/// The authorization lives in this object: it ends with it, with ``deauthorize()``, after 300 s, and on
/// lock, suspend and a change of the fingerprints. Safe on every thread.
open class LARight: NSObject, @unchecked Sendable {
  // Unchecked: all state is guarded by the mutex, for subclasses too, which add their own.
  private let inner = Mutex(Inner())

  private struct Inner {
    var state = State.unknown
    var tag = 0
    var context = LAContext()
  }

  /// How a right stands, with Apple's raw values.
  public enum State: Int, Sendable {
    case unknown = 0
    case authorizing, authorized, notAuthorized
  }

  let requirement: LAAuthenticationRequirement
  /// The prints as they were, for a right that is bound to them.
  private let domainState: [UInt8]?

  /// A right that a finger or the account's password authorizes.
  public override convenience init() {
    self.init(requirement: .default)
  }

  /// One of `biometryCurrentSet` is bound to the fingers that are enrolled now.
  public init(requirement: LAAuthenticationRequirement) {
    self.requirement = requirement
    domainState =
      requirement.flags.contains(.biometryCurrentSet)
      ? (try? Keychain.shared.domainState()).flatMap { $0 } : nil
  }

  deinit { context.invalidate() }

  /// As of the last authorization or its end. What evidence is worth is judged anew at each use.
  open var state: State { inner.withLock { $0.state } }

  /// For the program's own use.
  open var tag: Int {
    get { inner.withLock { $0.tag } }
    set { inner.withLock { $0.tag = newValue } }
  }

  /// Makes the person satisfy the requirement.
  ///
  /// - Parameter localizedReason: why, in this program's words; not empty.
  /// - Throws: `LAError`.
  open func authorize(localizedReason: String) async throws {
    try await Waiting.run { try self.authorizeNow(localizedReason) }
  }

  /// As the `async` form.
  open func authorize(
    localizedReason: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Waiting.run({ try self.authorizeNow(localizedReason) }, completion: { completion($1) })
  }

  /// Whether the requirement could be satisfied now. Asks nobody.
  ///
  /// - Throws: `LAError`, why not.
  open func checkCanAuthorize() async throws {
    try await Waiting.run { try self.checkNow() }
  }

  /// As the `async` form.
  open func checkCanAuthorize(completion: @escaping @Sendable ((any Error)?) -> Void) {
    Waiting.run({ try self.checkNow() }, completion: { completion($1) })
  }

  /// Ends the authorization; one that runs ends with `appCancel`.
  open func deauthorize() async { end() }

  /// As the `async` form.
  open func deauthorize(completion: @escaping @Sendable () -> Void) {
    end()
    completion()
  }

  /// Holds the evidence of the authorization.
  var context: LAContext { inner.withLock { $0.context } }

  /// - Throws: `LAError` when the fingers are not those that the right is bound to.
  func requireCurrentSet() throws {
    guard requirement.flags.contains(.biometryCurrentSet) else { return }
    do throws(KeychainError) {
      guard let now = try Keychain.shared.domainState() else { throw KeychainError(.notEnrolled) }
      guard now == domainState else { throw KeychainError(.invalidated) }
    } catch { throw error.authorization }
  }

  private func checkNow() throws {
    try context.check(requirement)
    try requireCurrentSet()
  }

  private func authorizeNow(_ reason: String) throws {
    let context = inner.withLock { inner in
      inner.state = .authorizing
      return inner.context
    }
    do {
      try requireCurrentSet()
      try context.evaluate(
        try requirement.control(), reason, isBiometric: requirement.isBiometric)
      finish(.authorized, context)
    } catch {
      finish(.notAuthorized, context)
      throw error
    }
  }

  /// What comes of an authorization that was ended meanwhile counts no more.
  private func finish(_ state: State, _ context: LAContext) {
    inner.withLock { inner in
      if inner.context === context { inner.state = state }
    }
  }

  private func end() {
    let old = inner.withLock { inner in
      defer { inner.context = LAContext() }
      inner.state = .notAuthorized
      return inner.context
    }
    old.invalidate()
  }
}

/// The name of the state in the documentation of C.
public typealias LARightState = LARight.State
