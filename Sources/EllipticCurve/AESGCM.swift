import COpenSSL
import SecretMemory

/// AES-128-GCM with an IV of 16 bytes and no associated data, as Apple's ECIES uses it: each key seals
/// once.
public enum AESGCM {
  public static let keyCount = 16
  public static let ivCount = 16
  public static let tagCount = 16

  /// - Returns: the ciphertext, then the tag.
  public static func seal(
    _ secret: SecretBytes, key: SecretBytes, iv: [UInt8]
  ) throws(P256.Failure) -> [UInt8] {
    guard key.count == keyCount, iv.count == ivCount, secret.count <= Int32.max else {
      throw .malformed
    }
    var sealed = [UInt8](repeating: 0, count: secret.count)
    var tag = [UInt8](repeating: 0, count: tagCount)
    // SAFETY: all buffers have the lengths that the call reads and writes.
    let isDone = unsafe key.withUnsafeBytes { key in
      unsafe secret.withUnsafeBytes { plain in
        unsafe whorl_aes_gcm(
          1, key.baseAddress?.assumingMemoryBound(to: UInt8.self), iv,
          plain.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(plain.count), &sealed,
          &tag) == 1
      }
    }
    guard isDone else { throw .failed }
    return sealed + tag
  }

  /// - Throws: `.malformed` for what was not sealed with this key.
  public static func open(
    _ sealed: [UInt8], key: SecretBytes, iv: [UInt8]
  ) throws(P256.Failure) -> SecretBytes {
    guard key.count == keyCount, iv.count == ivCount, sealed.count >= tagCount,
      sealed.count <= Int32.max
    else { throw .malformed }
    let count = sealed.count - tagCount
    var tag = Array(sealed[count...])
    let plain: SecretBytes
    do { plain = try SecretBytes(count: count) } catch { throw .failed }
    // SAFETY: all buffers have the lengths that the call reads and writes.
    let isRight = unsafe key.withUnsafeBytes { key in
      unsafe plain.withUnsafeBytes { plain in
        unsafe whorl_aes_gcm(
          0, key.baseAddress?.assumingMemoryBound(to: UInt8.self), iv, sealed, Int32(count),
          plain.baseAddress?.assumingMemoryBound(to: UInt8.self), &tag) == 1
      }
    }
    guard isRight else { throw .malformed }
    return plain
  }
}
