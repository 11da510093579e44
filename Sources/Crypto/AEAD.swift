import CSodium
import SecretMemory

/// XChaCha20-Poly1305 with a random nonce: a box is nonce (24), ciphertext, tag (16).
public enum AEAD {
  public static let keyCount = 32
  public static let nonceCount = 24
  public static let tagCount = 16
  /// How much longer a box is than its secret, in bytes.
  public static let overhead = nonceCount + tagCount

  public static func seal(
    _ secret: SecretBytes, key: SecretBytes, associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    precondition(key.count == keyCount)
    var box = Random.bytes(nonceCount)
    box.append(contentsOf: repeatElement(0, count: secret.count + tagCount))
    // SAFETY: the box has room for nonce, ciphertext and tag; all lengths are the buffers' own.
    let status = unsafe box.withUnsafeMutableBufferPointer { box in
      unsafe secret.withUnsafeBytes { secret in
        unsafe key.withUnsafeBytes { key in
          unsafe associatedData.withUnsafeBufferPointer { data in
            guard let start = box.baseAddress,
              let key = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress
            else { return CInt(-1) }
            return unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
              start + nonceCount, nil, secret.assumingMemoryBound(to: UInt8.self).baseAddress,
              UInt64(secret.count), data.baseAddress, UInt64(data.count), nil, start, key)
          }
        }
      }
    }
    guard status == 0 else { throw .failed }
    return box
  }

  /// - Throws: `.forged` unless box, key and associated data are those of one ``seal(_:key:associatedData:)``.
  public static func open(
    _ box: [UInt8], key: SecretBytes, associatedData: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    precondition(key.count == keyCount)
    guard box.count >= overhead else { throw .forged }
    let secret = try SecretBytes.make(box.count - overhead)
    // SAFETY: the secret has room for the plaintext; all lengths are the buffers' own.
    let status = unsafe box.withUnsafeBufferPointer { box in
      unsafe secret.withUnsafeBytes { secret in
        unsafe key.withUnsafeBytes { key in
          unsafe associatedData.withUnsafeBufferPointer { data in
            guard let start = box.baseAddress,
              let key = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress
            else { return CInt(-1) }
            return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
              secret.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil,
              start + nonceCount, UInt64(box.count - nonceCount), data.baseAddress,
              UInt64(data.count), start, key)
          }
        }
      }
    }
    guard status == 0 else { throw .forged }
    return secret
  }
}
