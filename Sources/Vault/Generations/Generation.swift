import AccessControl
import SecretMemory
import Wire

/// One lifetime of an enrollment state: its name, its key and the digest it stands for.
struct Generation {
  let id: GenerationID
  /// 32 random bytes, only ever written under the shred key.
  let key: SecretBytes
  let digest: [UInt8]
  /// Seconds since 1970.
  let created: UInt64
}
