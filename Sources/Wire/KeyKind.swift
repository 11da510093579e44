/// The kinds of keys that the service makes and uses. Numbers are never used again.
public enum KeyKind: UInt8, CaseIterable, Sendable {
  /// P-256 (FIPS 186-5): signs a digest of 20 to 64 bytes by ECDSA, and agrees by ECDH.
  case p256 = 1
  /// Ed25519 (RFC 8032): signs a message of at most ``Limits/field`` bytes.
  case ed25519 = 2

  /// The attribute that holds the public half of a key that the service made.
  public static let publicAttribute = "whorl.public"
}
