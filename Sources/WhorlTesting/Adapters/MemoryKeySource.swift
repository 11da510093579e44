import Crypto
import SecretMemory
import Vault

/// Random keys that live as long as this object.
public final class MemoryKeySource: KeySource {
  public let hostKey: SecretBytes
  public private(set) var shredKey: SecretBytes
  /// How often the shred key was replaced.
  public private(set) var rotations = 0
  /// Makes rotations fail until it is nil again; the old key stands.
  public var failure: StorageError?

  /// - Throws: `.memory` when no memory can be locked, `.failed` when the library is unusable.
  public convenience init() throws(CryptoError) {
    try Crypto.initialize()
    self.init(hostKey: try Random.secret(32), shredKey: try Random.secret(32))
  }

  /// - Parameters: 32 bytes each.
  public init(hostKey: SecretBytes, shredKey: SecretBytes) {
    self.hostKey = hostKey
    self.shredKey = shredKey
  }

  /// The keys as they are now, as a backup of a key file has them.
  public func copy() -> MemoryKeySource {
    MemoryKeySource(hostKey: hostKey, shredKey: shredKey)
  }

  public func rotateShredKey(to key: SecretBytes) throws(StorageError) {
    if let failure { throw failure }
    shredKey = key
    rotations += 1
  }
}
