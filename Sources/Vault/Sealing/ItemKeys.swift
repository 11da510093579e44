import AccessControl
import Crypto
import SecretMemory
import Wire

/// The key-encryption keys of one owner, derived once and kept in locked memory.
///
/// KDF(key, label, input) is BLAKE2b-256 keyed with `key` over label, a zero byte and input. The
/// owner is encoded as `uint32` uid and `string` name.
///
/// - owner key = KDF(host key, "whorl owner", owner)
/// - root = KDF(owner key, "whorl user", user key)
/// - unbound key of a class = KDF(root, "whorl class", tag of the class, such as `ak`)
/// - bound key of a class = KDF(unbound key, "whorl generation", key of the generation), which
///   dies with the generation
/// - for an item with an application password, either of them becomes
///   KDF(that key, "whorl application password", Argon2id of the password)
///
/// The user key is 32 random bytes, stored as a box of XChaCha20-Poly1305 under the host key with
/// the associated data "whorl user key" and the owner. Argon2id takes 64 MiB and three passes, one
/// lane, over the password and the salt in the item's header, and gives 32 bytes.
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
