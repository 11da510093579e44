import COpenSSL
import SecretMemory

/// A key inside libcrypto, freed and cleared with the handle.
@safe struct KeyHandle: ~Copyable {
  let raw: OpaquePointer

  /// - Parameter raw: owned from here on.
  @unsafe init(_ raw: OpaquePointer) {
    // SAFETY: the caller gives up what it owned.
    unsafe self.raw = raw
  }

  // SAFETY: the handle owns the key, and frees it once.
  deinit { unsafe EVP_PKEY_free(raw) }

  /// libcrypto checks that the point is on the curve.
  init(publicKey: [UInt8]) throws(P256.Failure) {
    guard publicKey.count == P256.publicCount, publicKey[0] == 4 else { throw .malformed }
    // SAFETY: the array has the length that the call reads.
    guard let key = unsafe whorl_p256_import(publicKey, nil) else { throw .malformed }
    unsafe self.init(key)
  }

  init(privateKey: SecretBytes) throws(P256.Failure) {
    guard privateKey.count == P256.privateCount else { throw .malformed }
    // SAFETY: the secret has the length of a point and a scalar behind it.
    let key = unsafe privateKey.withUnsafeBytes { buffer in
      let start = unsafe buffer.assumingMemoryBound(to: UInt8.self).baseAddress
      return unsafe start.flatMap { unsafe whorl_p256_import($0, $0 + P256.publicCount) }
    }
    guard let key = unsafe key else { throw .malformed }
    unsafe self.init(key)
  }
}
