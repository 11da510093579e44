// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Crypto
import EllipticCurve
import SecretMemory
import WhorlKit
import Wire

public func SecKeyGetTypeID() -> CFTypeID { 257 }

/// Bytes of a block: those of a coordinate.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 32 }

/// The public half of a private key, or the key itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  SecKey(key.kind, publicBytes: key.publicBytes)
}

public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  let attributes: [String: Any] = [
    "type": key.kind.keyType, "kcls": key.isPrivate ? "1" : "0", "bsiz": key.kind.bits,
    "esiz": key.kind.bits, "klbl": Data(key.label), "sign": key.isPrivate,
    "vrfy": !key.isPrivate, "drve": key.isPrivate && key.kind == .p256,
  ]
  return attributes as CFDictionary
}

public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  switch operation {
  case .sign: key.isPrivate && algorithm.signing(by: key.kind) != nil
  case .verify: algorithm.signing(by: key.kind) != nil
  case .keyExchange: key.isPrivate && key.kind == .p256 && algorithm.isKeyExchange
  case .encrypt: !key.isPrivate && key.kind == .p256 && algorithm.encryption != nil
  case .decrypt: key.isPrivate && key.kind == .p256 && algorithm.encryption != nil
  }
}

/// A public key as its point, a private one as point and scalar (X9.63), or as 32 and 64 bytes for
/// Ed25519. A key with privateKeyUsage never leaves the service: `errSecUnimplemented`, as for
/// Apple's Secure Enclave.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: SecErrorPointer) -> CFData? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    switch key.half {
    case .publicKey: return Data(key.publicBytes) as CFData
    case .own(let secret): return Data(secret) as CFData
    case .stored(let identity, let use):
      guard use.isExtractable else { throw ItemFailure(errSecUnimplemented) }
      do throws(KeychainError) {
        return Data(
          try Keychain.shared.read(identity, options: use.options, context: use.context))
          as CFData
      } catch { throw ItemFailure(error) }
    }
  }
}

/// Signs data, or a digest of it that the caller made, as the algorithm says. With a stored key
/// blocks its thread while a person is asked.
public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: SecErrorPointer
) -> CFData? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    guard key.isPrivate, let signing = algorithm.signing(by: key.kind) else {
      throw ItemFailure(errSecParam)
    }
    let input = try signing.input(dataToSign as Data)
    switch key.half {
    case .publicKey: throw ItemFailure(errSecParam)
    case .own(let secret):
      switch key.kind {
      case .ed25519: return Data(Ed25519.sign(input, with: secret)) as CFData
      case .p256:
        guard let signature = try? P256.sign(input, with: secret) else {
          throw ItemFailure(errSecInternalComponent)
        }
        return Data(signature) as CFData
      }
    case .stored(let identity, let use):
      do throws(KeychainError) {
        return Data(
          try Keychain.shared.sign(
            input, with: identity, options: use.options, context: use.context)) as CFData
      } catch { throw ItemFailure(error) }
    }
  }
}

public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: SecErrorPointer
) -> Bool {
  // SAFETY: the pointer is only passed on to where it is written through.
  let isRight: Void? = unsafe recording(error) { () throws(ItemFailure) in
    guard let signing = algorithm.signing(by: key.kind) else { throw ItemFailure(errSecParam) }
    let input = try signing.input(signedData as Data)
    let bytes = Array(signature as Data)
    let isRight =
      switch key.kind {
      case .p256: P256.verify(bytes, of: input, by: key.publicBytes)
      case .ed25519: Ed25519.verify(bytes, of: input, by: key.publicBytes)
      }
    guard isRight else { throw ItemFailure(errSecVerifyFailed) }
  }
  return isRight != nil
}

/// The secret that both sides reach, or what the algorithm derives from it.
///
/// - Parameter parameters: of a derivation: its size in bytes, by default that of the digest, and what
///   both sides know (``SecKeyKeyExchangeParameter``).
public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
  _ parameters: CFDictionary, _ error: SecErrorPointer
) -> CFData? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    guard SecKeyIsAlgorithmSupported(privateKey, .keyExchange, algorithm), publicKey.kind == .p256
    else { throw ItemFailure(errSecParam) }
    guard let digest = algorithm.derivation else {
      return Data(try privateKey.agreement(with: publicKey.publicBytes)) as CFData
    }
    let size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue] ?? digest.count
    let info = parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue] ?? Data()
    guard let size = size as? Int, let info = info as? Data else { throw ItemFailure(errSecParam) }
    let shared = try privateKey.agreement(with: publicKey.publicBytes)
    do throws(P256.Failure) {
      return Data(try X963.derive(shared, digest, count: size, info: Array(info))) as CFData
    } catch { throw ItemFailure(error == .malformed ? errSecParam : errSecAllocate) }
  }
}

extension SecKey.StoredUse {
  var options: RequestOptions {
    RequestOptions(allowsInteraction: allowsInteraction, reason: reason)
  }
}
