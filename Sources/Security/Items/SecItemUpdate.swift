// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AccessControl
import SecretMemory
import WhorlKit
import Wire

/// Changes all items that match. A gated item asks, as on Apple's systems.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  LastFailure.recording { () throws(ItemFailure) in
    let query = try ItemQuery(query)
    guard query.interaction != .skip, query.data == nil else { throw ItemFailure(errSecParam) }
    try update(query, attributesToUpdate)
  }
}

private func update(_ query: ItemQuery, _ dictionary: CFDictionary) throws(ItemFailure) {
  let keychain = Keychain.shared
  let rows = try ItemSearch(query: query, keychain: keychain).rows()
  guard let first = rows.first else { throw ItemFailure(errSecItemNotFound) }
  let new = try ItemQuery(dictionary, changing: first.identity.itemClass)
  let secret: SecretBytes? = if let data = new.data { try SecretBytes(data) } else { nil }
  let options = RequestOptions(
    allowsInteraction: query.interaction == .allow, reason: query.reason)
  do throws(KeychainError) {
    // Several gated items share what the person proves.
    var context = query.context
    if context == nil, rows.count > 1 {
      let own = try AuthContext(keychain: keychain)
      context = own
    }
    for row in rows {
      try keychain.update(
        row.identity, try changes(new, of: row), secret: secret, options: options,
        context: context)
    }
  } catch { throw ItemFailure(error) }
}

private func changes(_ new: ItemQuery, of row: ItemRow) throws(KeychainError) -> Changes {
  do {
    let (identity, attributes) = try ItemAttributes.merge(
      new.attributes, into: row.identity, row.attributes, group: new.group)
    var control: AccessControl?
    if let given = new.control?.control {
      control = given
    } else if let accessibility = new.accessibility {
      control = try AccessControl(
        accessibility: accessibility, flags: row.accessControl.flags,
        reuseLimit: row.accessControl.reuseLimit)
    }
    return Changes(
      identity: identity == row.identity ? nil : identity,
      attributes: attributes == row.attributes ? nil : attributes, accessControl: control)
  } catch { throw KeychainError(.badParameter) }
}
