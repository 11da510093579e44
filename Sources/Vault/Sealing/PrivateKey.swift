import Crypto
import EllipticCurve
import SecretMemory
import Wire

/// A private key as an item's secret. The two kinds differ in length.
struct PrivateKey {
  let kind: KeyKind
  let secret: SecretBytes
  let publicKey: [UInt8]

  /// - Returns: nil for a secret that is no key.
  init?(_ secret: SecretBytes) {
    self.secret = secret
    switch secret.count {
    case P256.privateCount:
      guard let point = try? P256.publicKey(of: secret) else { return nil }
      (kind, publicKey) = (.p256, point)
    case Ed25519.privateCount:
      (kind, publicKey) = (.ed25519, Ed25519.publicKey(of: secret))
    default: return nil
    }
  }

  static func make(_ kind: KeyKind) throws(VaultError) -> PrivateKey {
    let secret: SecretBytes?
    switch kind {
    case .p256: secret = try? P256.generate()
    case .ed25519: secret = try? Ed25519.generate()
    }
    guard let key = secret.flatMap(PrivateKey.init) else { throw .exhausted }
    return key
  }

  /// - Returns: nil for an input that this kind does not sign.
  func sign(_ input: [UInt8]) -> [UInt8]? {
    switch kind {
    case .p256: try? P256.sign(input, with: secret)
    case .ed25519: Ed25519.sign(input, with: secret)
    }
  }

  /// - Returns: nil for a peer that is no key of this kind.
  func agree(with peer: [UInt8]) -> SecretBytes? {
    switch kind {
    case .p256: try? P256.agree(secret, with: peer)
    case .ed25519: nil
    }
  }
}
