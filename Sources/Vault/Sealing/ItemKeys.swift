import AccessControl
import Crypto
import SecretMemory
import Wire

/// The key-encryption keys of one owner, derived once and kept in locked memory.
///
/// `root` = KDF(host key, owner, user key); each class has a key below it. The bound key of a
/// class also takes the key of a generation, so it dies with the generation.
final class ItemKeys {
  private let root: SecretBytes
  private var unbound: [Accessibility: SecretBytes] = [:]

  /// - Parameter userKey: the owner's random 32 bytes.
  init(host: SecretBytes, owner: Owner, userKey: SecretBytes) throws(VaultError) {
    let ownerKey = try Sealing.derive(host, "whorl owner", owner.encoded)
    root = try Sealing.combine(ownerKey, "whorl user", userKey)
  }

  func unboundKey(_ accessibility: Accessibility) throws(VaultError) -> SecretBytes {
    if let key = unbound[accessibility] { return key }
    let key = try Sealing.derive(root, "whorl class", Array(accessibility.rawValue.utf8))
    unbound[accessibility] = key
    return key
  }

  func boundKey(
    _ accessibility: Accessibility, _ generation: Generation
  ) throws(VaultError) -> SecretBytes {
    try Sealing.combine(
      try unboundKey(accessibility), "whorl generation", generation.key)
  }
}
