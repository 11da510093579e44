import Crypto
import SecretMemory
import Testing

@Suite struct Ed25519Tests {
  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap { offset in
      UInt8(hex.dropFirst(offset).prefix(2), radix: 16)
    }
  }

  @Test func `a signature is that of RFC 8032, 7.1, test 2`() throws {
    let point = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    let key = try SecretBytes(
      copying: (bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb") + point)
        .span)
    let signature = Ed25519.sign([0x72], with: key)
    #expect(
      signature
        == bytes(
          "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"))
    #expect(Ed25519.publicKey(of: key) == point)
    #expect(Ed25519.verify(signature, of: [0x72], by: point))
    #expect(!Ed25519.verify(signature, of: [0x73], by: point))
    #expect(!Ed25519.verify([], of: [0x72], by: point))
  }

  @Test func `a new key signs`() throws {
    try Crypto.initialize()
    let key = try Ed25519.generate()
    let signature = Ed25519.sign([1, 2, 3], with: key)
    #expect(Ed25519.verify(signature, of: [1, 2, 3], by: Ed25519.publicKey(of: key)))
  }
}
