import CSodium
import SecretMemory

/// The kernel's random bytes.
public enum Random {
  public static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // SAFETY: the buffer has `count` bytes.
    unsafe bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { unsafe randombytes_buf(start, buffer.count) }
    }
    return bytes
  }

  public static func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    let secret = try SecretBytes.make(count)
    // SAFETY: the buffer has `count` bytes.
    unsafe secret.withUnsafeBytes { buffer in
      if let start = buffer.baseAddress { unsafe randombytes_buf(start, buffer.count) }
    }
    return secret
  }
}

extension SecretBytes {
  /// Zeros, with this module's error.
  static func make(_ count: Int) throws(CryptoError) -> SecretBytes {
    do { return try SecretBytes(count: count) } catch { throw .memory }
  }
}
