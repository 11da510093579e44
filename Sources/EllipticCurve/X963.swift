import COpenSSL
import SecretMemory

/// The key derivation of ANSI X9.63 (SEC 1, 3.6.1): blocks of a digest of the secret, a counter and
/// what both sides know.
public enum X963 {
  /// - Parameters:
  ///   - count: bytes to derive, 1 to 16 KiB.
  ///   - info: not secret.
  public static func derive(
    _ shared: SecretBytes, _ digest: MessageDigest, count: Int, info: [UInt8]
  ) throws(P256.Failure) -> SecretBytes {
    guard (1...16 * 1024).contains(count) else { throw .malformed }
    let input: SecretBytes
    let output: SecretBytes
    let blocks = (count + digest.count - 1) / digest.count
    do {
      input = try SecretBytes(count: shared.count + 4 + info.count)
      output = try SecretBytes(count: blocks * digest.count)
    } catch { throw .failed }
    shared.withBytes { from in
      input.withMutableBytes { to in
        for index in from.indices { to[index] = from[index] }
        for (index, byte) in info.enumerated() { to[from.count + 4 + index] = byte }
      }
    }
    for block in 0..<blocks {
      let number = UInt32(block + 1)
      input.withMutableBytes { to in
        for place in 0..<4 {
          to[shared.count + place] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * place))
        }
      }
      guard digest.hash(input, into: output, at: block * digest.count) else { throw .failed }
    }
    guard count < output.count else { return output }
    let exact: SecretBytes
    do { exact = try SecretBytes(count: count) } catch { throw .failed }
    output.withBytes { from in
      exact.withMutableBytes { to in for index in to.indices { to[index] = from[index] } }
    }
    return exact
  }
}

extension MessageDigest {
  /// Writes the digest of `input` to its place in `output`.
  fileprivate func hash(_ input: SecretBytes, into output: SecretBytes, at offset: Int) -> Bool {
    // SAFETY: both buffers are of the lengths that the calls read and write: the caller made room for
    // whole digests.
    unsafe input.withUnsafeBytes { from in
      unsafe output.withUnsafeBytes { to in
        guard let start = unsafe to.baseAddress?.assumingMemoryBound(to: UInt8.self),
          offset + count <= to.count
        else { return false }
        return unsafe EVP_Digest(
          from.baseAddress, from.count, start + offset, nil, algorithm, nil) == 1
      }
    }
  }
}
