import Crypto
import EllipticCurve
import SecretMemory
import WhorlKit
import Wire

/// A key: a public one, a private one of this process, or one that the service holds and uses.
public final class SecKey: NSObject, Sendable {
  package enum Half: Sendable {
    case publicKey
    /// The private half, in this process's locked memory.
    case own(SecretBytes)
    /// The private half is an item of the service's.
    case stored(ItemIdentity, StoredUse)
  }

  /// How a stored key is asked for.
  package struct StoredUse: Sendable {
    var context: AuthContext?
    var reason: [UInt8] = []
    var allowsInteraction = true
    /// Whether the private half may be read at all.
    var isExtractable = false

    package init(
      context: AuthContext?, reason: [UInt8] = [], allowsInteraction: Bool = true,
      isExtractable: Bool = false
    ) {
      self.context = context
      self.reason = reason
      self.allowsInteraction = allowsInteraction
      self.isExtractable = isExtractable
    }
  }

  package let kind: KeyKind
  package let publicBytes: [UInt8]
  package let half: Half

  package init(_ kind: KeyKind, publicBytes: [UInt8], half: Half = .publicKey) {
    self.kind = kind
    self.publicBytes = publicBytes
    self.half = half
  }

  var isPrivate: Bool { if case .publicKey = half { false } else { true } }

  /// What names the key pair: a hash of the public key. Another one than Apple's.
  package var label: [UInt8] { Array(Hash.blake2b(publicBytes).prefix(20)) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return other.isPrivate == isPrivate && other.kind == kind && other.publicBytes == publicBytes
  }

  public override var hash: Int { publicBytes.hashValue }
}

/// What a key does, with Apple's raw values.
public enum SecKeyOperationType: Int, Sendable {
  case sign = 0
  case verify, encrypt, decrypt, keyExchange
}

extension KeyKind {
  /// By `kSecAttrKeyType`.
  init?(keyType: Any?) {
    switch (keyType as? String) ?? (keyType as? NSNumber).map({ "\($0)" }) {
    case "73": self = .p256
    case "105": self = .ed25519
    default: return nil
    }
  }

  var keyType: String { self == .p256 ? "73" : "105" }

  var bits: Int { 256 }
}

/// Where a function stores its error.
public typealias SecErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>?

/// Runs the body of a `SecKey…` function: nil, with the error stored, when it fails.
func recording<Value>(
  _ error: SecErrorPointer, _ body: () throws(ItemFailure) -> Value
) -> Value? {
  var value: Value?
  var failure: ItemFailure?
  let status = LastFailure.recording { () throws(ItemFailure) in
    do throws(ItemFailure) { value = try body() } catch {
      failure = error
      throw error
    }
  }
  if let failure {
    var info: [String: Any] = [NSLocalizedDescriptionKey: StatusText.text(status)]
    if let cause = failure.error?.cause {
      info[NSUnderlyingErrorKey] = Foundation.NSError(
        domain: "com.apple.LocalAuthentication", code: cause.rawValue)
    }
    let problem = Foundation.NSError(
      domain: NSOSStatusErrorDomain, code: Int(status), userInfo: info)
    // SAFETY: the caller's variable is valid for the length of the call, by Swift's rule for `&`.
    unsafe error?.pointee = Unmanaged.passRetained(problem)
  }
  return value
}
