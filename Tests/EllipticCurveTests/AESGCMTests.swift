import EllipticCurve
import SecretMemory
import Testing

struct AESGCMTests {
  private let iv = [UInt8](repeating: 0, count: 16)

  private func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
  }

  @Test func `what was sealed opens, and nothing else does`() throws {
    let key = try secret(Array(0..<16))
    for count in [0, 1, 16, 17, 4096] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let sealed = try AESGCM.seal(try secret(plain), key: key, iv: iv)
      #expect(sealed.count == count + AESGCM.tagCount)
      let opened = try AESGCM.open(sealed, key: key, iv: iv)
      #expect(opened.withBytes { span in span.indices.map { span[$0] } } == plain)
      for place in [0, sealed.count - 1] {
        var wrong = sealed
        wrong[place] ^= 0x80
        #expect(throws: P256.Failure.malformed) { _ = try AESGCM.open(wrong, key: key, iv: iv) }
      }
      let other = [1] + iv.dropFirst()
      #expect(throws: P256.Failure.malformed) { _ = try AESGCM.open(sealed, key: key, iv: other) }
    }
    #expect(throws: P256.Failure.malformed) {
      _ = try AESGCM.open([1, 2, 3], key: key, iv: iv)
    }
  }

  @Test func `a key or an IV of another length is refused`() throws {
    let key = try secret(Array(0..<15))
    #expect(throws: P256.Failure.malformed) { _ = try AESGCM.seal(key, key: key, iv: iv) }
    let right = try secret(Array(0..<16))
    #expect(throws: P256.Failure.malformed) { _ = try AESGCM.seal(key, key: right, iv: [0]) }
  }
}
