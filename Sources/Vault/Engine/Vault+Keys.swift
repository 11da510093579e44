import AccessControl
import Crypto
import SecretMemory
import Wire

// Private keys: made here, used here. Whether one was meant to leave is its access control's word:
// with privateKeyUsage it never does.
extension Vault {
  /// Makes a key and stores it as a new item. Never prompts.
  func makeKey(
    _ item: NewItem, _ kind: KeyKind, _ request: Request, _ caller: PendingOperation.Caller
  ) throws(EngineError) -> Step {
    guard item.identity.itemClass == .key, !item.accessControl.needsApplicationPassword,
      let label = ItemClass.key.primaryAttributes.firstIndex(of: "klbl")
    else { throw .failure(Failure(.badParameter)) }
    let key: PrivateKey
    do { key = try PrivateKey.make(kind) } catch { throw .vault(error) }
    var primary = item.identity.primary
    primary[label] = Array(Hash.blake2b(key.publicKey).prefix(20))
    var new = item
    new.identity = ItemIdentity(itemClass: .key, group: item.identity.group, primary: primary)
    new.attributes[KeyKind.publicAttribute] = key.publicKey
    let pending = PendingOperation(request: request, caller: caller, secrets: [key.secret])
    guard case .done = try add(new, false, pending) else {
      throw .failure(Failure(.internalError))
    }
    return .done(Outcome(.bytes(key.publicKey)))
  }

  func freezeKey(
    _ item: ItemIdentity, _ request: Request, _ caller: PendingOperation.Caller
  ) throws(EngineError) -> PendingOperation {
    guard item.itemClass == .key else { throw .failure(Failure(.badParameter)) }
    return try freeze([item], request, caller, [])
  }

  /// Refuses, before anybody is asked, to release a key that is to be used here alone.
  func requireReadable(_ pending: PendingOperation) throws(EngineError) {
    for item in pending.frozen
    where item.identity.itemClass == .key
      && item.header.accessControl.guardsPrivateKeyUsage
    {
      throw .failure(Failure(.notPermitted, detail: item.identity.displayName))
    }
  }

  /// The judgement is open: uses the key.
  func use(
    _ pending: PendingOperation, _ live: Generation?, _ factors: [Factor]
  ) throws(EngineError) -> Step {
    let secret = try open(pending.frozen[0], pending, live)
    guard let key = PrivateKey(secret) else { throw .failure(Failure(.badParameter)) }
    switch pending.request.operation {
    case .sign(_, let input):
      guard let signature = key.sign(input) else { break }
      return .done(Outcome(.bytes(signature), factors: factors))
    case .agree(_, let peer):
      guard let shared = key.agree(with: peer) else { break }
      return .done(Outcome(.secrets(count: 1), secrets: [shared], factors: factors))
    default: throw .failure(Failure(.internalError))
    }
    throw .failure(Failure(.badParameter))
  }
}
