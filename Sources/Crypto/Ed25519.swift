import CSodium
import SecretMemory

/// Signatures of RFC 8032. A private key is 64 bytes: the seed, then the public key.
public enum Ed25519 {
  public static let publicCount = 32
  public static let privateCount = 64
  public static let signatureCount = 64

  public static func generate() throws(CryptoError) -> SecretBytes {
    let secret = try SecretBytes.make(privateCount)
    var point = [UInt8](repeating: 0, count: publicCount)
    // SAFETY: both buffers have the lengths that libsodium names.
    unsafe secret.withUnsafeBytes { buffer in
      guard let start = unsafe buffer.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return
      }
      _ = unsafe crypto_sign_keypair(&point, start)
    }
    return secret
  }

  /// - Precondition: the key is of ``privateCount`` bytes.
  public static func publicKey(of key: SecretBytes) -> [UInt8] {
    precondition(key.count == privateCount)
    return key.withBytes { bytes in (32..<64).map { bytes[$0] } }
  }

  /// - Precondition: the key is of ``privateCount`` bytes.
  public static func sign(_ message: [UInt8], with key: SecretBytes) -> [UInt8] {
    precondition(key.count == privateCount)
    var signature = [UInt8](repeating: 0, count: signatureCount)
    // SAFETY: the buffers have the lengths that libsodium names.
    unsafe key.withUnsafeBytes { buffer in
      guard let start = unsafe buffer.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return
      }
      _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), start)
    }
    return signature
  }

  public static func verify(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    guard signature.count == signatureCount, key.count == publicCount else { return false }
    // SAFETY: the buffers have the lengths that libsodium names.
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), key) == 0
  }
}
