import AccessControl
import SecretMemory
import Wire

// Private keys that the service makes and uses. With privateKeyUsage in its access control such a
// key never leaves the service, and each use asks as a read would.
extension Keychain {
  /// Makes a key and stores it. Never prompts.
  ///
  /// - Parameter item: of the class key; its application label becomes a hash of the public key.
  /// - Returns: the public key: 65 bytes for P-256 (uncompressed point), 32 for Ed25519.
  public func makeKey(
    _ item: NewItem, _ kind: KeyKind, context: AuthContext? = nil
  ) throws(KeychainError) -> [UInt8] {
    try bytes(.makeKey(item, kind), RequestOptions(), context)
  }

  /// Signs with a stored key.
  ///
  /// - Parameter input: for P-256 a digest of 20 to 64 bytes, for Ed25519 the message.
  /// - Returns: for P-256 a DER sequence (X9.62), for Ed25519 64 bytes.
  public func sign(
    _ input: [UInt8], with item: ItemIdentity, options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) -> [UInt8] {
    try bytes(.sign(item, input), options, context)
  }

  /// The secret that a stored P-256 key and the owner of `peer` both reach: 32 bytes.
  public func agree(
    _ item: ItemIdentity, with peer: [UInt8], options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) -> SecretBytes {
    let answer = try perform(.agree(item, peer: peer), options: options, context: context)
    guard case .secrets = answer.reply, answer.secrets.count == 1 else {
      throw KeychainError(.malformed)
    }
    return answer.secrets[0]
  }

  private func bytes(
    _ operation: Operation, _ options: RequestOptions, _ context: AuthContext?
  ) throws(KeychainError) -> [UInt8] {
    let answer = try perform(operation, options: options, context: context)
    guard case .bytes(let bytes) = answer.reply else { throw KeychainError(.malformed) }
    return bytes
  }
}
