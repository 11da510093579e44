// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AccessControl
import SecretMemory
import WhorlKit
import Wire

/// Stores an item. Never asks anybody.
///
/// Over an item that changed fingerprints have ended it succeeds, as if that were not there.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  LastFailure.recording { () throws(ItemFailure) in
    let object = try add(try ItemQuery(attributes))
    // SAFETY: the caller's variable is valid for the length of the call, by Swift's rule for `&`.
    if let object { unsafe result?.pointee = object }
  }
}

/// Stores an item in place of the one of the same primary attributes, if there is one: an extension.
/// Happens in one step, so that a failure leaves the old item, and never asks anybody, also for a gated
/// one. The new access control counts.
@discardableResult
public func SecItemAddReplacing(_ attributes: CFDictionary) -> OSStatus {
  LastFailure.recording { () throws(ItemFailure) in
    let query = try ItemQuery(attributes)
    guard query.returns.isEmpty else { throw ItemFailure(errSecParam) }
    _ = try add(query, replacing: true)
  }
}

private func add(
  _ query: ItemQuery, replacing: Bool = false
) throws(ItemFailure) -> CFTypeRef? {
  guard let itemClass = query.itemClass, query.interaction != .skip, query.limit == nil,
    query.persistentRefs.isEmpty, !query.matchesAnySynchronizable,
    !query.returns.contains(.ref)
  else { throw ItemFailure(errSecParam) }
  let synchronizes = query.attributes["sync"]?.bytes.isEmpty == false
  guard query.control == nil || !synchronizes else { throw ItemFailure(errSecParam) }

  let empty = ItemIdentity(
    itemClass: itemClass, group: AccessGroups.own[0],
    primary: itemClass.primaryAttributes.map { _ in [] })
  var values = query.attributes
  var data = query.data
  if let key = query.ref {
    guard data == nil, let own = try representation(key) else { throw ItemFailure(errSecParam) }
    data = own
    values["kcls"] = AttributeValue(key.isPrivate ? "1" : "0", .constant)
    values["type"] = AttributeValue(key.kind.keyType, .constant)
    values["bsiz"] = AttributeValue(NSNumber(value: key.kind.bits), .number)
    values["klbl"] = AttributeValue(Data(key.label), .blob)
  }
  let (identity, attributes) = try ItemAttributes.merge(
    values, into: empty, Attributes(), group: query.group)
  let secret = try SecretBytes(data ?? Data())
  let keychain = Keychain.shared
  do throws(KeychainError) {
    let item = NewItem(
      identity: identity, attributes: attributes, accessControl: try query.accessControl())
    if replacing {
      try keychain.addReplacing(item, secret: secret, context: query.context)
    } else {
      try addNew(item, secret, query.context)
    }
    guard !query.returns.isEmpty else { return nil }
    return ItemResult(returns: query.returns).object(
      of: [try keychain.show(identity).row], query.returns.contains(.data) ? [secret] : [],
      limit: .one)
  } catch { throw ItemFailure(error) }
}

private func addNew(
  _ item: NewItem, _ secret: SecretBytes, _ context: AuthContext?
) throws(KeychainError) {
  let keychain = Keychain.shared
  do throws(KeychainError) { try keychain.add(item, secret: secret, context: context) } catch {
    guard error.code == .duplicate, try keychain.show(item.identity).row.isInvalidated else {
      throw error
    }
    try keychain.addReplacing(item, secret: secret, context: context)
  }
}

/// nil for a key that the service holds already.
private func representation(_ key: SecKey) throws(ItemFailure) -> Data? {
  switch key.half {
  case .publicKey: Data(key.publicBytes)
  case .own(let secret): Data(secret)
  case .stored: nil
  }
}

extension ItemQuery {
  /// The access control that the query asks for, by default `kSecAttrAccessibleWhenUnlocked`.
  func accessControl() throws(KeychainError) -> AccessControl {
    if let control { return control.control }
    do throws(AccessControlError) {
      return try AccessControl(accessibility: accessibility ?? .whenUnlocked)
    } catch { throw KeychainError(.badParameter) }
  }
}
