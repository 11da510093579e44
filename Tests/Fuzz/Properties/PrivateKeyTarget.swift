import Crypto
import EllipticCurve
import SecretMemory

@testable import Vault

extension FuzzTarget {
  /// A key that somebody stored, the public key of a peer, and what is to be signed.
  static let privateKey = FuzzTarget(name: "private-key") { bytes in
    var choices = Choices(bytes)
    let secret = try SecretBytes.of(choices.field())
    let peer = choices.field()
    let input = choices.rest()
    _ = P256.verify(peer, of: input, by: [4] + input)
    _ = Ed25519.verify(peer, of: input, by: input)
    guard let key = PrivateKey(secret) else {
      try require(
        ![P256.privateCount, Ed25519.privateCount].contains(secret.count),
        "a key is told by its length")
      return
    }
    switch key.kind {
    case .p256: try checkP256(key, peer, input)
    case .ed25519:
      try require(key.agree(with: peer) == nil, "Ed25519 does not agree")
      try require(key.sign(input)?.count == Ed25519.signatureCount, "Ed25519 signs anything")
    }
  }

  private static func checkP256(_ key: PrivateKey, _ peer: [UInt8], _ input: [UInt8]) throws {
    let isWhole = P256.isPrivateKey(key.secret)
    if let signature = key.sign(input) {
      try require((20...64).contains(input.count), "P-256 signs digests")
      // A signature of the digest zero is that of the opposite point too.
      try require(
        P256.verify(signature, of: input, by: key.publicKey) == isWhole
          || input.prefix(32).allSatisfy { $0 == 0 },
        "a whole key's signature is its own")
    } else {
      try require(!isWhole || !(20...64).contains(input.count), "a whole key signs a digest")
    }
    if let shared = key.agree(with: peer) {
      try require(P256.isPublicKey(peer) && shared.count == 32, "only points agree")
    } else {
      try require(!isWhole || !P256.isPublicKey(peer), "a whole key agrees with any point")
    }
  }
}
