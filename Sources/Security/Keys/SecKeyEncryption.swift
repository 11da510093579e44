// swift-format-ignore-file: AlwaysUseLowerCamelCase

import EllipticCurve
import SecretMemory
import WhorlKit

/// Encrypts data for the owner of a P-256 key, in the form that Apple's ECIES has: the point of a key
/// made for it, the ciphertext, the tag.
public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: SecErrorPointer
) -> CFData? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    guard !key.isPrivate, let envelope = Envelope(algorithm, key) else {
      throw ItemFailure(errSecParam)
    }
    let plain = try SecretBytes(plaintext as Data)
    do throws(P256.Failure) {
      let own = try P256.generate()
      let point = try P256.publicKey(of: own)
      let shared = try P256.agree(own, with: key.publicBytes)
      let (secret, iv) = try envelope.keys(shared, point)
      return Data(point + (try AESGCM.seal(plain, key: secret, iv: iv))) as CFData
    } catch { throw ItemFailure(errSecInternalComponent) }
  }
}

/// Decrypts what was encrypted for this key. With a stored key blocks its thread while a person is
/// asked.
public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: SecErrorPointer
) -> CFData? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    let bytes = Array(ciphertext as Data)
    let point = Array(bytes.prefix(P256.publicCount))
    guard key.isPrivate, let envelope = Envelope(algorithm, key), P256.isPublicKey(point) else {
      throw ItemFailure(errSecParam)
    }
    let shared = try key.agreement(with: point)
    do throws(P256.Failure) {
      let (secret, iv) = try envelope.keys(shared, point)
      let sealed = Array(bytes.dropFirst(P256.publicCount))
      return Data(try AESGCM.open(sealed, key: secret, iv: iv)) as CFData
    } catch { throw ItemFailure(error == .malformed ? errSecParam : errSecInternalComponent) }
  }
}

/// How Apple's ECIES makes a key and an IV of what both sides know.
private struct Envelope {
  let digest: MessageDigest
  let derivesIV: Bool

  /// nil for another algorithm, or a key that has none.
  init?(_ algorithm: SecKeyAlgorithm, _ key: SecKey) {
    guard key.kind == .p256, let encryption = algorithm.encryption else { return nil }
    (digest, derivesIV) = encryption
  }

  func keys(
    _ shared: SecretBytes, _ point: [UInt8]
  ) throws(P256.Failure) -> (SecretBytes, iv: [UInt8]) {
    let zero = [UInt8](repeating: 0, count: AESGCM.ivCount)
    guard derivesIV else {
      return (try X963.derive(shared, digest, count: AESGCM.keyCount, info: point), zero)
    }
    let both = try X963.derive(
      shared, digest, count: AESGCM.keyCount + AESGCM.ivCount, info: point)
    let key: SecretBytes
    do { key = try SecretBytes(count: AESGCM.keyCount) } catch { throw .failed }
    var iv = zero
    both.withBytes { from in
      key.withMutableBytes { to in for index in to.indices { to[index] = from[index] } }
      for index in iv.indices { iv[index] = from[AESGCM.keyCount + index] }
    }
    return (key, iv)
  }
}

extension SecKey {
  /// What a private key and the owner of `point` both reach.
  func agreement(with point: [UInt8]) throws(ItemFailure) -> SecretBytes {
    switch half {
    case .publicKey: throw ItemFailure(errSecParam)
    case .own(let secret):
      guard let shared = try? P256.agree(secret, with: point) else {
        throw ItemFailure(errSecParam)
      }
      return shared
    case .stored(let identity, let use):
      do throws(KeychainError) {
        return try Keychain.shared.agree(
          identity, with: point, options: use.options, context: use.context)
      } catch { throw ItemFailure(error) }
    }
  }
}
