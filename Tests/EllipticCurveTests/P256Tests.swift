import EllipticCurve
import SecretMemory
import Testing

@Suite struct P256Tests {
  private func bytes(_ hex: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Substring(hex)
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  private func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
  }

  @Test func `an exchange reaches the secret of RFC 5903, 8.1`() throws {
    let own =
      bytes(
        "04DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C37725811805271A0461CDB8252D61F1C456F"
          + "A3E59AB1F45B33ACCF5F58389E0577B8990BB3")
      + bytes("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")
    let peer = bytes(
      "04D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF6356FBF3CA366CC23E8157854C13C5"
        + "8D6AAC23F046ADA30F8353E74F33039872AB")
    let shared = try P256.agree(secret(own), with: peer)
    let found = shared.withBytes { span in span.indices.map { span[$0] } }
    #expect(found == bytes("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"))
    #expect(try P256.isPrivateKey(secret(own)))
  }

  @Test func `the signature of RFC 6979, A.2.5, is verified, and no other`() {
    let point = bytes(
      "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628"
        + "BC64F2F1B20C2D7E9F5177A3C294D4462299")
    let signature = bytes(
      "3046022100EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716022100F7CB1C942D657C"
        + "41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    let digest = MessageDigest.sha256(Array("sample".utf8))
    #expect(P256.verify(signature, of: digest, by: point))
    for index in signature.indices {
      var wrong = signature
      wrong[index] ^= 1
      #expect(!P256.verify(wrong, of: digest, by: point), "\(index)")
    }
    #expect(!P256.verify(signature, of: MessageDigest.sha256([]), by: point))
    #expect(!P256.verify([], of: digest, by: point))
  }

  @Test func `a new key signs and agrees`() throws {
    let (first, second) = (try P256.generate(), try P256.generate())
    let (one, two) = (try P256.publicKey(of: first), try P256.publicKey(of: second))
    #expect(one != two && P256.isPublicKey(one))
    let digest = MessageDigest.sha512(Array("message".utf8))
    #expect(P256.verify(try P256.sign(digest, with: first), of: digest, by: one))
    #expect(!P256.verify(try P256.sign(digest, with: second), of: digest, by: one))
    let left = try P256.agree(first, with: two).withBytes { span in span.indices.map { span[$0] } }
    let right = try P256.agree(second, with: one).withBytes { span in span.indices.map { span[$0] }
    }
    #expect(left == right)
  }

  @Test func `what is no key of the curve is refused`() throws {
    let key = try P256.generate()
    var point = try P256.publicKey(of: key)
    point[64] ^= 1
    #expect(!P256.isPublicKey(point))
    #expect(!P256.isPublicKey([]) && !P256.isPublicKey([UInt8](repeating: 4, count: 65)))
    #expect(throws: P256.Failure.self) { try P256.agree(key, with: point) }
    #expect(throws: P256.Failure.malformed) { try P256.sign([1], with: key) }
    #expect(throws: P256.Failure.malformed) {
      try P256.sign([UInt8](repeating: 1, count: 32), with: secret([1]))
    }
    // The point of another scalar.
    let other = try P256.generate()
    let mixed = try P256.publicKey(of: key) + other.withBytes { span in (65..<97).map { span[$0] } }
    #expect(try !P256.isPrivateKey(secret(mixed)))
  }
}
