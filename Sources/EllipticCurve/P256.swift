import COpenSSL
import SecretMemory

/// Keys on the curve P-256 (FIPS 186-5), by libcrypto, which has what libsodium lacks.
///
/// A private key is 97 bytes: the point uncompressed (X9.63: 4, X, Y), then the scalar, as
/// `SecKeyCopyExternalRepresentation` gives it. A public key is the first 65 of them. Inside
/// libcrypto a key lives on its heap for the length of one call, and is cleared with it.
public enum P256 {
  public static let publicCount = 65
  public static let privateCount = 97

  public enum Failure: Error, Equatable, Sendable {
    /// Not a key or a signature of this curve.
    case malformed
    /// libcrypto failed, or no memory can be locked.
    case failed
  }

  /// A new private key.
  public static func generate() throws(Failure) -> SecretBytes {
    // SAFETY: the key is owned by the handle.
    guard let raw = unsafe whorl_p256_generate() else { throw .failed }
    let key = unsafe KeyHandle(raw)
    let secret: SecretBytes
    do { secret = try SecretBytes(count: privateCount) } catch { throw .failed }
    // SAFETY: the buffer has room for the point and the padded scalar; the number is cleared.
    let isWhole = unsafe secret.withUnsafeBytes { buffer in
      guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      var count = 0
      var scalar: OpaquePointer?
      defer { unsafe BN_clear_free(scalar) }
      return unsafe EVP_PKEY_get_octet_string_param(
        key.raw, OSSL_PKEY_PARAM_PUB_KEY, start, publicCount, &count) == 1
        && count == publicCount
        && EVP_PKEY_get_bn_param(key.raw, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1
        && BN_bn2binpad(scalar, start + publicCount, 32) == 32
    }
    guard isWhole else { throw .failed }
    return secret
  }

  /// The public half of a private key.
  public static func publicKey(of key: SecretBytes) throws(Failure) -> [UInt8] {
    guard key.count == privateCount else { throw .malformed }
    return key.withBytes { bytes in (0..<publicCount).map { bytes[$0] } }
  }

  /// Whether the bytes are a point of the curve.
  public static func isPublicKey(_ bytes: [UInt8]) -> Bool {
    (try? KeyHandle(publicKey: bytes)) != nil
  }

  /// Whether the two halves of a private key belong together.
  public static func isPrivateKey(_ key: SecretBytes) -> Bool {
    let digest = [UInt8](repeating: 7, count: 32)
    guard let point = try? publicKey(of: key), let signature = try? sign(digest, with: key) else {
      return false
    }
    return verify(signature, of: digest, by: point)
  }

  /// The ECDSA signature of a digest, as a DER sequence (X9.62).
  ///
  /// - Parameter digest: 20 to 64 bytes.
  public static func sign(_ digest: [UInt8], with key: SecretBytes) throws(Failure) -> [UInt8] {
    guard (20...64).contains(digest.count) else { throw .malformed }
    let handle = try KeyHandle(privateKey: key)
    // SAFETY: the context is ours and freed once; the buffers have the lengths given.
    guard let context = unsafe EVP_PKEY_CTX_new(handle.raw, nil) else { throw .failed }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    guard unsafe EVP_PKEY_sign_init(context) == 1,
      unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
    else { throw .failed }
    return Array(signature[..<count])
  }

  public static func verify(_ signature: [UInt8], of digest: [UInt8], by key: [UInt8]) -> Bool {
    guard let handle = try? KeyHandle(publicKey: key) else { return false }
    // SAFETY: as in `sign`.
    guard let context = unsafe EVP_PKEY_CTX_new(handle.raw, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }

  /// The x coordinate that both sides of a key exchange reach (ECDH, SP 800-56A without cofactor).
  public static func agree(_ key: SecretBytes, with peer: [UInt8]) throws(Failure) -> SecretBytes {
    let own = try KeyHandle(privateKey: key)
    let other = try KeyHandle(publicKey: peer)
    let shared: SecretBytes
    do { shared = try SecretBytes(count: 32) } catch { throw .failed }
    // SAFETY: the context is ours and freed once.
    guard let context = unsafe EVP_PKEY_CTX_new(own.raw, nil) else { throw .failed }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    // SAFETY: the buffer has 32 bytes, which is the length of the coordinate.
    let isDone = unsafe shared.withUnsafeBytes { buffer in
      var count = 32
      return unsafe EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_derive_set_peer(context, other.raw) == 1
        && EVP_PKEY_derive(
          context, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
        && count == 32
    }
    guard isDone else { throw .failed }
    return shared
  }
}
