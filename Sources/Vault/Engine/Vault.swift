import AccessControl
import Crypto
import SecretMemory
import Wire

/// The engine: judges requests and opens items. Synchronous; it never waits, and knows no socket,
/// file or clock beyond its adapters.
///
/// `begin` freezes a request and answers with an end or with what is missing; `resume` brings what
/// was missing and may ask again. Not thread-safe: one thread drives it.
public final class Vault {
  /// Wrong application passwords after which a request fails.
  static let applicationPasswordTries = 3
  /// Bytes of an item's identity and attributes together; the rest of a message is for the prints
  /// and times that an answer adds.
  static let describedLimit = Limits.message / 2

  let storage: any VaultStorage
  let keys: any KeySource
  let host: any Host
  let generations: Generations
  let scopes = EvidenceScopes()
  /// Told of each generation that ends, once, whatever look found it.
  public var onEnd: ((Owner, EnrollmentChange) -> Void)?
  var itemKeys: [Owner: ItemKeys] = [:]
  /// The row that was decoded last: what one program reads over and over is decoded once. Whoever
  /// reads another item in between pays for decoding, as without it; the bytes decide, so it is never
  /// an older row.
  var lastKept: (bytes: [UInt8], item: KeptItem)?

  public init(
    storage: any VaultStorage, keys: any KeySource, enrollment: any EnrollmentSource,
    host: any Host
  ) {
    self.storage = storage
    self.keys = keys
    self.host = host
    generations = Generations(storage: storage, keys: keys, enrollment: enrollment)
  }

  /// Freezes and judges a request.
  ///
  /// - Parameter secrets: the secret frames that came before it, in order.
  public func begin(
    _ request: Request, by caller: PendingOperation.Caller, secrets: [SecretBytes]
  ) -> Step {
    if scopes.isInvalidated(request, caller.connection) {
      return .failed(Failure(.invalidContext))
    }
    do throws(EngineError) {
      switch request.operation {
      case .add(let item, let replacing):
        return try beginAdd(item, replacing, request, caller, secrets)
      case .read(let items):
        let pending = try freeze(items, request, caller, secrets)
        try requireReadable(pending)
        try requireReleasable(pending)
        return try advance(pending)
      case .update(let item, let changes):
        guard secrets.count == (changes.replacesSecret ? 1 : 0) else {
          throw .failure(Failure(.protocolViolation))
        }
        let pending = try freeze([item], request, caller, secrets)
        try requireUpdatable(changes, pending)
        return try advance(pending)
      case .rearm(let item):
        let pending = try freeze([item], request, caller, secrets)
        try requireRearmable(pending)
        return try advance(pending)
      case .delete(let item): return try delete(item, caller)
      case .show(let item): return try show(item, caller)
      case .list(let query): return try list(query, caller)
      case .evaluate, .canEvaluate:
        return try evaluate(PendingOperation(request: request, caller: caller))
      case .domainState: return try domainState(caller)
      case .makeKey(let item, let kind): return try makeKey(item, kind, request, caller)
      case .sign(let item, _), .agree(let item, _):
        return try advance(try freezeKey(item, request, caller))
      case .form(let item, let offset): return try form(item, from: offset, caller)
      case .placed(let item, let digest): return try placed(item, digest, caller)
      case .discarded(let ids): return try discarded(ids, caller)
      case .status, .log, .lock, .login, .loginKeyring, .administer:
        throw .failure(Failure(.protocolViolation))
      }
    } catch {
      return .failed(error.failure)
    }
  }

  /// Goes on with what a step asked for. Everything is judged anew.
  public func resume(_ pending: PendingOperation, _ input: Input) -> Step {
    pending.waited = true
    if scopes.isInvalidated(pending.request, pending.caller.connection) {
      return .failed(Failure(.invalidContext))
    }
    do throws(EngineError) {
      switch input {
      case .verified(let factor): try accept(factor, pending)
      case .changed: break
      case .obstacle(let obstacle): pending.obstacle = obstacle
      case .applicationPassword:
        return .derive(salts: pending.frozen.compactMap(\.header.salt), pending)
      case .derived(let keys):
        return try accept(keys, pending)
      case .forms(let forms): try accept(forms: forms, pending)
      }
      return try advanceAny(pending)
    } catch {
      return .failed(error.failure)
    }
  }

  /// Forgets an auth context's evidence for good.
  public func invalidate(context: UInt32, connection: UInt64) {
    scopes.invalidate(context, connection: connection)
  }

  /// The connection is gone.
  public func end(connection: UInt64) {
    scopes.end(connection: connection)
  }

  /// The user's session was locked or the host is about to suspend.
  ///
  /// - Parameter user: whose evidence ends; nil for everyone's.
  public func endReuse(user: UInt32?) {
    scopes.end(user: user)
  }

  /// The prints may have changed: looks, and ends every generation they no longer match.
  ///
  /// - Parameter name: whose; nil for everyone with a generation.
  public func enrollmentMayHaveChanged(of name: [UInt8]?) {
    let owners = (try? storage.generationOwners()) ?? []
    for owner in owners where name == nil || name == owner.name { _ = try? look(owner) }
  }

  func keys(of owner: Owner) throws(EngineError) -> ItemKeys {
    if let keys = itemKeys[owner] { return keys }
    var associatedData = Array("whorl user key".utf8)
    associatedData += owner.encoded
    do throws(VaultError) {
      let userKey: SecretBytes
      let stored: [UInt8]?
      do { stored = try storage.userKey(of: owner) } catch { throw VaultError.storage(error) }
      if let stored {
        userKey = try Sealing.open(stored, self.keys.hostKey, associatedData)
      } else {
        userKey = try Sealing.randomKey()
        let sealed = try Sealing.seal(userKey, self.keys.hostKey, associatedData)
        do { try storage.setUserKey(of: owner, sealed) } catch { throw VaultError.storage(error) }
      }
      let made = try ItemKeys(host: self.keys.hostKey, owner: owner, userKey: userKey)
      itemKeys[owner] = made
      return made
    } catch { throw .vault(error) }
  }

  func store(of owner: Owner) throws(EngineError) -> any ItemStore {
    do { return try storage.items(of: owner) } catch { throw .vault(.storage(error)) }
  }
}

/// What ends a step early: a failure for the caller, or an internal error that becomes one.
enum EngineError: Error {
  case failure(Failure)
  case vault(VaultError)

  var failure: Failure {
    switch self {
    case .failure(let failure): failure
    case .vault(let error): error.failure
    }
  }
}
