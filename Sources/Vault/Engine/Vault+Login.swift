import AccessControl
import Crypto
import SecretMemory
import Wire

/// What holds for one login besides its request.
public struct LoginTerms: Sendable {
  /// What changes with the account's password; nil where it could not be asked.
  public let mark: [UInt8]?
  /// Whether the peer may be given the login secret.
  public let mayRelease: Bool

  public init(mark: [UInt8]?, mayRelease: Bool) {
    self.mark = mark
    self.mayRelease = mayRelease
  }
}

// Logins: a touch for its own sake, and the login secret that it may release.
//
// The login secret is sealed as an item is, bound to the enrollment, in the owner's own store; but
// it stands there under bytes that are no identity of an item, so that no request can name it.
extension Vault {
  private static let loginIdentity = Array("whorl login secret".utf8)
  /// The attribute that holds the mark of the password it is.
  private static let markName = "mark"

  /// Begins a verify. The subject is the account that logs in; the process is the one that asked.
  public func beginLogin(
    _ request: Request, by caller: PendingOperation.Caller, terms: LoginTerms
  ) -> Step {
    let pending = PendingOperation(request: request, caller: caller)
    pending.login = terms
    do throws(EngineError) { return try login(pending) } catch { return .failed(error.failure) }
  }

  /// Whether the owner wants a login secret kept.
  public func wantsLoginSecret(_ owner: Owner) -> Bool {
    (try? stored(Self.loginIdentity, owner)) != nil
  }

  /// - Parameter mark: of the account's password now; nil where it could not be asked.
  public func loginKeyring(
    of owner: Owner, mark: [UInt8]?
  ) throws(Failure) -> LoginKeyring {
    do throws(EngineError) { return try loginState(owner, mark).state } catch {
      throw error.failure
    }
  }

  /// Forgets the login secret, and that it was wanted.
  public func disableLoginKeyring(of owner: Owner) throws(Failure) {
    do throws(EngineError) {
      let store = try store(of: owner)
      do { _ = try store.delete(Self.loginIdentity) } catch { throw .vault(.storage(error)) }
    } catch { throw error.failure }
  }

  /// Keeps a password that was found right, bound to the prints as they are.
  public func keepLoginSecret(
    _ secret: SecretBytes, of owner: Owner, mark: [UInt8]
  ) throws(Failure) {
    do throws(EngineError) {
      try keep(secret, owner, flags: .biometryCurrentSet, mark: mark)
    } catch { throw error.failure }
  }

  func keep(
    _ secret: SecretBytes, _ owner: Owner, flags: AccessControlFlags, mark: [UInt8]
  ) throws(EngineError) {
    guard let control = try? AccessControl(accessibility: .afterFirstUnlock, flags: flags) else {
      throw .failure(Failure(.internalError))
    }
    let old = try stored(Self.loginIdentity, owner)
    let bound = try bind(control, owner)
    var attributes = Attributes()
    attributes[Self.markName] = mark
    let version = old.flatMap { try? SealedItem($0.sealed) }?.header.version ?? 0
    let header = SealedItem.Header(
      version: version + 1, created: host.date, modified: host.date, accessControl: control,
      attributes: attributes, generation: bound?.id, salt: nil,
      secretCount: UInt32(secret.count))
    let sealed = try seal(
      secret, header, Self.loginIdentity, owner, bound: bound, derived: nil)
    let store = try store(of: owner)
    do {
      if let old {
        try store.replace(row: old.row, identity: Self.loginIdentity, sealed: sealed.encoded)
      } else {
        try store.insert(Self.loginIdentity, sealed: sealed.encoded)
      }
    } catch { throw .vault(.storage(error)) }
  }

  /// Goes on with a verify: asks for a finger, or ends with what it releases.
  func login(_ pending: PendingOperation) throws(EngineError) -> Step {
    guard case .login(let login) = pending.request.operation, let terms = pending.login else {
      throw .failure(Failure(.internalError))
    }
    var secret: SecretBytes?
    let hasTouch = pending.evidence.contains { $0.factor == .biometry }
    if login.wantsSecret, terms.mayRelease {
      let (state, item) = try loginState(pending.owner, terms.mark)
      switch state {
      case .off: break
      // A touch would log in and leave the keyring locked.
      case .waiting: throw .failure(Failure(.passcodeFirst))
      case .ended: throw .failure(Failure(.invalidated))
      case .ready:
        if hasTouch, let item {
          secret = try open(item, pending, try look(pending.owner).live)
        }
      }
    }
    guard hasTouch else {
      if let obstacle = pending.obstacle { throw .failure(Failure(obstacle)) }
      guard pending.request.allowsInteraction else {
        throw .failure(Failure(.interactionNotAllowed))
      }
      return .gather(
        Gathering(
          alternatives: [[.biometry]], items: [Array("login of ".utf8) + login.user], reuse: 0),
        pending)
    }
    guard host.isUnchanged(pending.caller) else {
      throw .failure(Failure(.changedMeanwhile))
    }
    return .done(
      Outcome(
        secret == nil ? .done : .secrets(count: 1), secrets: secret.map { [$0] } ?? [],
        factors: [.biometry]))
  }

  private func loginState(
    _ owner: Owner, _ mark: [UInt8]?
  ) throws(EngineError) -> (state: LoginKeyring, item: PendingOperation.FrozenItem?) {
    guard let row = try stored(Self.loginIdentity, owner) else { return (.off, nil) }
    let kept = try kept(row)
    guard kept.header.accessControl.constraint.bindsEnrollment else { return (.waiting, nil) }
    guard let mark, kept.header.attributes[Self.markName] == mark,
      let live = try look(owner).live, live.id == kept.header.generation
    else { return (.ended, nil) }
    let identity = ItemIdentity(group: [], service: [], account: Array("login".utf8))
    return (
      .ready,
      PendingOperation.FrozenItem(
        identity: identity, encodedIdentity: Self.loginIdentity, row: row, kept: kept)
    )
  }
}
