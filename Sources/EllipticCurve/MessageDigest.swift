import COpenSSL

/// The digests that signatures are made of.
public enum MessageDigest: Sendable {
  case sha1, sha224, sha256, sha384, sha512

  public func callAsFunction(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    // SAFETY: the buffer has the digest's length; the algorithm is a constant of libcrypto's.
    let isDone = unsafe EVP_Digest(message, message.count, &digest, nil, algorithm, nil) == 1
    precondition(isDone, "libcrypto has every digest of this list")
    return digest
  }

  /// Bytes of a digest.
  public var count: Int {
    switch self {
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  var algorithm: OpaquePointer? {
    // SAFETY: constants of libcrypto's, never freed.
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha224: unsafe EVP_sha224()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    case .sha512: unsafe EVP_sha512()
    }
  }
}
