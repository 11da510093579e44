import EllipticCurve
import SecretMemory
import Testing

struct X963Tests {
  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).map { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)!
    }
  }

  private func bytes(of secret: SecretBytes) -> [UInt8] {
    secret.withBytes { span in span.indices.map { span[$0] } }
  }

  /// The first of NIST's validation vectors for ANSI X9.63 with SHA-256.
  @Test func `a derivation is that of ANSI X9_63`() throws {
    let shared = try SecretBytes(
      copying: bytes("96c05619d56c328ab95fe84b18264b08725b85e33fd34f08").span)
    let key = try X963.derive(shared, .sha256, count: 16, info: [])
    #expect(bytes(of: key) == bytes("443024c3dae66b95e6f5670601558f71"))
  }

  @Test func `blocks are digests of the secret, a counter from 1 and the info`() throws {
    let shared = try SecretBytes(copying: [1, 2, 3].span)
    for digest in [MessageDigest.sha1, .sha224, .sha256, .sha384, .sha512] {
      let expected = (1...3).flatMap { digest([1, 2, 3, 0, 0, 0, UInt8($0), 9]) }
      for count in [1, digest.count, digest.count + 1, 3 * digest.count] {
        let key = try X963.derive(shared, digest, count: count, info: [9])
        #expect(bytes(of: key) == Array(expected.prefix(count)))
      }
    }
    #expect(throws: P256.Failure.malformed) {
      _ = try X963.derive(shared, .sha256, count: 0, info: [])
    }
  }
}
