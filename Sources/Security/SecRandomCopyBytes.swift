// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A source of random bytes. There is one.
public final class SecRandom: Sendable {}
public typealias SecRandomRef = SecRandom

public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `bytes` from the kernel's generator.
@discardableResult
public func SecRandomCopyBytes(
  _ source: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  // SAFETY: the caller promises `count` bytes at `bytes`.
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  var generator = SystemRandomNumberGenerator()
  var offset = 0
  while offset < count {
    var word: UInt64 = generator.next()
    let step = min(8, count - offset)
    // SAFETY: at most eight bytes of the word go to bytes within the buffer.
    unsafe withUnsafeBytes(of: &word) { word in
      for index in 0..<step { unsafe buffer[offset + index] = word[index] }
    }
    offset += step
  }
  return errSecSuccess
}
