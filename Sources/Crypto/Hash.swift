import CSodium

/// BLAKE2b without a key, 32 bytes: names what is public.
public enum Hash {
  public static let count = 32

  public static func blake2b(_ message: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: count)
    // SAFETY: the buffers have the lengths given; no key is read.
    _ = unsafe crypto_generichash(&hash, count, message, UInt64(message.count), nil, 0)
    return hash
  }
}
