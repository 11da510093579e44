import AccessControl
import Wire

extension Keychain {
  /// What can authenticate now, why not, and which fingers are enrolled.
  public func status() throws(KeychainError) -> HostStatus {
    guard case .status(let status) = try reply(.status) else { throw KeychainError(.malformed) }
    return status
  }

  /// The newest records of the audit log, newest last, at most `limit`.
  public func log(limit: UInt32) throws(KeychainError) -> [AuditRecord] {
    guard case .records(let records) = try reply(.log(limit: limit)) else {
      throw KeychainError(.malformed)
    }
    return records
  }

  /// Treats the user's sessions as locked until the next unlock, and ends what evidence was kept.
  ///
  /// - Throws: `.unavailable` when the user has no session, so that nothing was locked; the
  ///   evidence was ended all the same.
  public func lock() throws(KeychainError) {
    try expectDone(.lock, options: RequestOptions(allowsInteraction: false), context: nil)
  }

  /// Changes whether a touch at a login is to open the user's keyring, or only looks. Asks for the
  /// password where that is enabled, and for nothing else.
  public func loginKeyring(
    _ action: LoginKeyring.Action, options: RequestOptions = RequestOptions()
  ) throws(KeychainError) -> LoginKeyring {
    var options = options
    if action != .enable { options.allowsInteraction = false }
    let answer = try perform(.loginKeyring(action), options: options, context: nil)
    guard case .loginKeyring(let state) = answer.reply else { throw KeychainError(.malformed) }
    return state
  }

  /// Makes the person satisfy an access control for its own sake.
  public func evaluate(
    _ control: AccessControl, options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) {
    try expectDone(.evaluate(control), options: options, context: context)
  }

  /// Whether an access control could be satisfied now. Nobody is asked.
  ///
  /// - Throws: why not.
  public func canEvaluate(_ control: AccessControl) throws(KeychainError) {
    try expectDone(
      .canEvaluate(control), options: RequestOptions(allowsInteraction: false), context: nil)
  }

  /// Stands for the set of enrolled prints: compare for equality only. nil when there are none.
  public func domainState() throws(KeychainError) -> [UInt8]? {
    guard case .domainState(let digest) = try reply(.domainState) else {
      throw KeychainError(.malformed)
    }
    return digest.isEmpty ? nil : digest
  }
}
