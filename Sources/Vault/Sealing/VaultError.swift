import Crypto
import SecretMemory
import Wire

/// What can go wrong inside the engine, before it becomes a ``Wire/Failure``.
enum VaultError: Error, Equatable {
  /// A box is not what was sealed, or its key is another.
  case forged
  /// Locked memory is used up.
  case exhausted
  case storage(StorageError)

  init(_ error: CryptoError) {
    switch error {
    case .forged: self = .forged
    case .memory: self = .exhausted
    default: self = .storage(.failed)
    }
  }

  var failure: Failure {
    switch self {
    case .forged: Failure(.corrupted)
    case .exhausted: Failure(.busy)
    case .storage(.duplicate): Failure(.duplicate)
    case .storage(.full): Failure(.storageFull)
    case .storage(.quota): Failure(.quotaExceeded)
    case .storage(.corrupted): Failure(.corrupted)
    case .storage(.busy): Failure(.busy, detail: Array("the item store".utf8))
    case .storage(.laterFormat):
      Failure(.unavailable, detail: Array("the item store is of a later version".utf8))
    case .storage(.readOnly):
      Failure(.unavailable, detail: Array("the item store is read-only".utf8))
    case .storage(.failed):
      Failure(.unavailable, detail: Array("the item store cannot be read or written".utf8))
    }
  }
}
