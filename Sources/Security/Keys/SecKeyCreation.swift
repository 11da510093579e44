// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AccessControl
import Crypto
import EllipticCurve
import SecretMemory
import WhorlKit
import Wire

/// Makes a private key. A permanent one (`kSecAttrIsPermanent`, or any `kSecAttrTokenID`) is made by
/// the service and stays there; another one lives in this process.
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: SecErrorPointer) -> SecKey? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    try KeyParameters(parameters).make()
  }
}

/// A key from its external representation.
public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary, _ error: SecErrorPointer
) -> SecKey? {
  // SAFETY: the pointer is only passed on to where it is written through.
  unsafe recording(error) { () throws(ItemFailure) in
    guard let kind = KeyKind(keyType: attributes["type"]) else { throw ItemFailure(errSecParam) }
    let keyClass =
      (attributes["kcls"] as? String) ?? (attributes["kcls"] as? NSNumber).map { "\($0)" }
    switch keyClass {
    case "0": return try SecKey(publicBytes: Array(keyData as Data), kind)
    case "1": return try SecKey(privateBytes: try SecretBytes(keyData as Data), kind)
    default: throw ItemFailure(errSecParam)
    }
  }
}

extension SecKey {
  package convenience init(publicBytes bytes: [UInt8], _ kind: KeyKind) throws(ItemFailure) {
    let isKey =
      switch kind {
      case .p256: P256.isPublicKey(bytes)
      case .ed25519: bytes.count == Ed25519.publicCount
      }
    guard isKey else { throw ItemFailure(errSecParam) }
    self.init(kind, publicBytes: bytes)
  }

  convenience init(privateBytes secret: SecretBytes, _ kind: KeyKind) throws(ItemFailure) {
    switch kind {
    case .p256:
      guard P256.isPrivateKey(secret), let point = try? P256.publicKey(of: secret) else {
        throw ItemFailure(errSecParam)
      }
      self.init(kind, publicBytes: point, half: .own(secret))
    case .ed25519:
      guard secret.count == Ed25519.privateCount else { throw ItemFailure(errSecParam) }
      self.init(kind, publicBytes: Ed25519.publicKey(of: secret), half: .own(secret))
    }
  }
}

/// What a new key shall be.
private struct KeyParameters {
  let kind: KeyKind
  let isPermanent: Bool
  /// The attributes of the private key.
  let query: ItemQuery

  /// - Throws: `errSecUnimplemented` for other kinds of keys, `errSecParam` for nonsense.
  init(_ dictionary: CFDictionary) throws(ItemFailure) {
    guard let type = dictionary["type"] else { throw ItemFailure(errSecParam) }
    guard let kind = KeyKind(keyType: type) else { throw ItemFailure(errSecUnimplemented) }
    if let bits = dictionary["bsiz"] {
      guard let bits = bits as? NSNumber, bits.intValue == kind.bits else {
        throw ItemFailure(errSecParam)
      }
    }
    self.kind = kind
    var own: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let name = key as? String, !["private", "public", "type", "bsiz"].contains(name) else {
        continue
      }
      own[name] = value
    }
    if let inner = dictionary["private"] {
      guard let inner = inner as? NSDictionary else { throw ItemFailure(errSecParam) }
      for (key, value) in inner { if let name = key as? String { own[name] = value } }
    }
    own["class"] = "keys"
    query = try ItemQuery(own as CFDictionary)
    guard query.returns.isEmpty, query.limit == nil, query.persistentRefs.isEmpty,
      query.data == nil, query.ref == nil
    else { throw ItemFailure(errSecParam) }
    isPermanent =
      query.attributes["perm"]?.bytes.isEmpty == false || query.attributes["tkid"] != nil
  }

  func make() throws(ItemFailure) -> SecKey {
    guard isPermanent else {
      let secret =
        switch kind {
        case .p256: try? P256.generate()
        case .ed25519: try? Ed25519.generate()
        }
      guard let secret else { throw ItemFailure(errSecAllocate) }
      return try SecKey(privateBytes: secret, kind)
    }
    var attributes = query.attributes
    attributes["type"] = AttributeValue(kind.keyType, .constant)
    attributes["bsiz"] = AttributeValue(NSNumber(value: kind.bits), .number)
    attributes["kcls"] = AttributeValue("1", .constant)
    let empty = ItemIdentity(
      itemClass: .key, group: AccessGroups.own[0],
      primary: ItemClass.key.primaryAttributes.map { _ in [] })
    let (identity, others) = try ItemAttributes.merge(
      attributes, into: empty, Attributes(), group: query.group)
    do throws(KeychainError) {
      let accessControl = try query.accessControl()
      let item = NewItem(identity: identity, attributes: others, accessControl: accessControl)
      let point = try Keychain.shared.makeKey(item, kind, context: query.context)
      let key = SecKey(kind, publicBytes: point)
      var primary = identity.primary
      if let label = ItemClass.key.primaryAttributes.firstIndex(of: "klbl") {
        primary[label] = key.label
      }
      return SecKey(
        kind, publicBytes: point,
        half: .stored(
          ItemIdentity(itemClass: .key, group: identity.group, primary: primary),
          SecKey.StoredUse(
            context: query.context, reason: query.reason,
            allowsInteraction: query.interaction == .allow,
            isExtractable: !accessControl.guardsPrivateKeyUsage)))
    } catch { throw ItemFailure(error) }
  }
}
