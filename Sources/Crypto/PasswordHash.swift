import CSodium
import SecretMemory

/// Argon2id, the memory-hard stretch of an application password: 64 MiB, three passes, one lane
/// (RFC 9106). A tenth of a second or more; keep it off a thread that serves others.
public enum PasswordHash {
  public static let saltCount = 16
  public static let memory = 64 * 1024 * 1024
  public static let passes: UInt64 = 3

  /// - Parameter salt: ``saltCount`` bytes.
  /// - Returns: 32 bytes.
  /// - Throws: `.failed` when the memory is not to be had.
  public static func derive(
    password: SecretBytes, salt: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    precondition(salt.count == saltCount)
    let derived = try SecretBytes.make(32)
    // SAFETY: all lengths are the buffers' own, the salt's is the library's constant.
    let status = unsafe derived.withUnsafeBytes { derived in
      unsafe password.withUnsafeBytes { password in
        unsafe salt.withUnsafeBufferPointer { salt in
          guard let output = unsafe derived.assumingMemoryBound(to: UInt8.self).baseAddress,
            let input = unsafe password.assumingMemoryBound(to: CChar.self).baseAddress,
            let salt = salt.baseAddress
          else { return CInt(-1) }
          return unsafe crypto_pwhash(
            output, UInt64(derived.count), input, UInt64(password.count), salt, passes, memory,
            crypto_pwhash_ALG_ARGON2ID13)
        }
      }
    }
    guard status == 0 else { throw .failed }
    return derived
  }
}
