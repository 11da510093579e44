import CSodium
import SecretMemory

/// Keys from keys: keyed BLAKE2b over the label, a zero byte, and what the key is for. Labels hold
/// no zero byte, so no two uses share an input.
public enum KeyDerivation {
  /// 32 bytes below `key`, for a public `message`.
  public static func derive(
    key: SecretBytes, label: String, message: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    let derived = try SecretBytes.make(KeyedHash.count)
    var hash = KeyedHash(key: key)
    hash.update(Array(label.utf8) + [0])
    hash.update(message)
    hash.finish(into: derived)
    return derived
  }

  /// 32 bytes that need both `key` and `secret`.
  public static func derive(
    key: SecretBytes, label: String, secret: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let derived = try SecretBytes.make(KeyedHash.count)
    var hash = KeyedHash(key: key)
    hash.update(Array(label.utf8) + [0])
    secret.withBytes { hash.update($0) }
    hash.finish(into: derived)
    return derived
  }
}
