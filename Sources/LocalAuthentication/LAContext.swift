import AccessControl
import SecretMemory
@_exported import Security
import Synchronization
import WhorlKit

/// Authenticates the person at the machine, and keeps what was proven for the calls that name it.
///
/// Safe on every thread. Replies come on a thread of the context's own.
open class LAContext: NSObject, SecAuthenticationContext, @unchecked Sendable {
  // Unchecked: all state is guarded by the mutex, for subclasses too, which add their own.
  private let state = Mutex(State())

  fileprivate struct State {
    var context: AuthContext?
    var isInvalidated = false
    var reason = ""
    var fallbackTitle: String?
    var cancelTitle: String?
    var reuse: TimeInterval = 0
    var interactionNotAllowed = false
    var biometryType = LABiometryType.none
    var domainState: Data?
  }

  public override init() {
    super.init()
  }

  /// Shown with prompts of keychain calls that use this context, marked as the program's words.
  open var localizedReason: String {
    get { state.withLock { $0.reason } }
    set { state.withLock { $0.set(\.reason, newValue) } }
  }

  /// Kept; no prompt of this system has such a button.
  open var localizedFallbackTitle: String? {
    get { state.withLock { $0.fallbackTitle } }
    set { state.withLock { $0.fallbackTitle = newValue } }
  }

  /// Kept; no prompt of this system has such a button.
  open var localizedCancelTitle: String? {
    get { state.withLock { $0.cancelTitle } }
    set { state.withLock { $0.cancelTitle = newValue } }
  }

  /// Seconds for which evidence of this context may serve requests outside of it, as far as an item
  /// allows; more than 300 count as 300.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { state.withLock { $0.reuse } }
    set {
      let limit = LATouchIDAuthenticationMaximumAllowableReuseDuration
      state.withLock { $0.set(\.reuse, max(0, min(newValue, limit))) }
    }
  }

  /// Whether calls that would ask somebody fail at once instead.
  open var interactionNotAllowed: Bool {
    get { state.withLock { $0.interactionNotAllowed } }
    set { state.withLock { $0.set(\.interactionNotAllowed, newValue) } }
  }

  /// What the machine has, as of the last `canEvaluatePolicy` or evaluation.
  open var biometryType: LABiometryType { state.withLock { $0.biometryType } }

  /// Stands for the enrolled prints: compare for equality only. nil until a biometric policy could be
  /// evaluated.
  open var evaluatedPolicyDomainState: Data? { state.withLock { $0.domainState } }

  /// The state of the machine's authenticators as of now.
  open var domainState: LADomainState {
    LADomainState(biometryType: currentBiometryType(), hash: currentDomainState())
  }

  /// Whether a policy could be satisfied now. Asks nobody.
  ///
  /// - Parameter error: set to an error of `LAErrorDomain` that says why not.
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do throws(LAError) {
      let control = try policy.control()
      let context = try openContext()
      let type = currentBiometryType()
      state.withLock { $0.biometryType = type }
      do throws(KeychainError) { try context.canEvaluate(control) } catch {
        throw LAError(error, isBiometric: policy.isBiometric)
      }
      if policy.isBiometric { noteDomainState() }
      return true
    } catch let problem {
      // SAFETY: the caller's variable is valid for the length of the call, by Swift's rule for `&`.
      unsafe error?.pointee = problem as Foundation.NSError
      return false
    }
  }

  /// Makes the person satisfy a policy.
  ///
  /// - Parameter localizedReason: why, in this program's words; not empty.
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, Error?) -> Void
  ) {
    Thread.detachNewThread {
      do throws(LAError) {
        try self.evaluate(
          try policy.control(), localizedReason, isBiometric: policy.isBiometric)
        reply(true, nil)
      } catch { reply(false, error) }
    }
  }

  /// Makes the person satisfy an access control, as one of the operations on an item would.
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation,
    localizedReason: String, reply: @escaping @Sendable (Bool, Error?) -> Void
  ) {
    Thread.detachNewThread {
      do throws(LAError) {
        try self.evaluate(accessControl.control, localizedReason, isBiometric: false)
        reply(true, nil)
      } catch { reply(false, error) }
    }
  }

  /// Brings the application password of the items that calls with this context store and read; nil
  /// takes it back.
  ///
  /// - Returns: false for other types, and after `invalidate`.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, let context = try? openContext() else { return false }
    guard let credential else {
      context.applicationPassword = nil
      return true
    }
    guard let secret = try? SecretBytes(count: credential.count) else { return false }
    secret.withMutableBytes { bytes in
      for (index, byte) in credential.enumerated() { bytes[index] = byte }
    }
    context.applicationPassword = secret
    return true
  }

  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && state.withLock { $0.context?.applicationPassword } != nil
  }

  /// Ends this context for good. A running evaluation ends with `appCancel`, later ones fail with
  /// `invalidContext`.
  open func invalidate() {
    let context = state.withLock { state in
      state.isInvalidated = true
      return state.context
    }
    context?.invalidate()
  }

  public func authContext() throws(KeychainError) -> AuthContext {
    let result: Result<AuthContext, KeychainError> = state.withLock { state in
      do throws(KeychainError) { return .success(try state.open()) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func openContext() throws(LAError) -> AuthContext {
    do throws(KeychainError) { return try authContext() } catch {
      throw LAError(error, isBiometric: false)
    }
  }

  func evaluate(
    _ control: AccessControl, _ reason: String, isBiometric: Bool
  ) throws(LAError) {
    guard !reason.isEmpty else {
      throw LAError(.notInteractive, "The reason for the person must not be empty.")
    }
    let context = try openContext()
    do throws(KeychainError) {
      try context.keychain.evaluate(
        control, options: RequestOptions(reason: Array(reason.utf8.prefix(1024))),
        context: context)
    } catch { throw LAError(error, isBiometric: isBiometric) }
    noteDomainState()
  }

  /// Whether the requirement of a right could be satisfied now.
  func check(_ requirement: LAAuthenticationRequirement) throws(LAError) {
    let control = try requirement.control()
    let context = try openContext()
    do throws(KeychainError) { try context.canEvaluate(control) } catch {
      throw LAError(error, isBiometric: requirement.isBiometric)
    }
  }

  private func noteDomainState() {
    let hash = currentDomainState()
    state.withLock { $0.domainState = hash }
  }

  private func currentDomainState() -> Data? {
    (try? Keychain.shared.domainState()).flatMap { $0 }.map { Data($0) }
  }

  private func currentBiometryType() -> LABiometryType {
    switch try? Keychain.shared.status().biometryObstacle {
    case .noReader, .noService: .none
    case .some, .none: .touchID
    }
  }
}

extension LAContext.State {
  /// The context of the daemon, made when first needed.
  fileprivate mutating func open() throws(KeychainError) -> AuthContext {
    guard !isInvalidated else { throw KeychainError(.invalidContext) }
    if let context { return context }
    let context = try AuthContext()
    self.context = context
    tell(context)
    return context
  }

  /// Changes a setting, here and in the context.
  fileprivate mutating func set<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) {
    self[keyPath: path] = value
    if let context { tell(context) }
  }

  private func tell(_ context: AuthContext) {
    context.reason = Array(reason.utf8.prefix(1024))
    context.reuse = UInt32(reuse)
    context.interactionNotAllowed = interactionNotAllowed
  }
}
