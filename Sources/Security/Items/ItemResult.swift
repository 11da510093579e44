import SecretMemory
import WhorlKit
import Wire

/// What a query returns, in the shape it asked for.
struct ItemResult {
  let returns: Set<ItemQuery.Return>

  /// - Parameter secrets: one for each row when data is returned, else empty.
  func object(
    of rows: [ItemRow], _ secrets: [SecretBytes], keys: [SecKey] = [], limit: ItemQuery.Limit
  ) -> CFTypeRef? {
    guard !returns.isEmpty else { return nil }
    let objects = rows.enumerated().map { index, row in
      object(
        of: row, secrets.isEmpty ? nil : secrets[index], keys.isEmpty ? nil : keys[index])
    }
    return limit == .one ? objects.first : objects as CFArray
  }

  private func object(of row: ItemRow, _ secret: SecretBytes?, _ key: SecKey?) -> CFTypeRef {
    if returns == [.ref], let key { return key }
    if returns == [.data], let secret { return Data(secret) as CFData }
    if returns == [.persistentRef] { return PersistentRef(row).data as CFData }
    var dictionary = returns.contains(.attributes) ? ItemAttributes.dictionary(of: row) : [:]
    if returns.contains(.data), let secret { dictionary["v_Data"] = Data(secret) }
    if let key { dictionary["v_Ref"] = key }
    if returns.contains(.persistentRef) { dictionary["v_PersistentRef"] = PersistentRef(row).data }
    return dictionary as CFDictionary
  }
}

/// Attributes of an item as a dictionary of a query, and back.
enum ItemAttributes {
  /// Names the attributes that were given as data. Clients see it nowhere.
  static let dataNames = "whorl.data"

  static func dictionary(of row: ItemRow) -> [String: Any] {
    let identity = row.identity
    var dictionary: [String: Any] = [
      "class": identity.itemClass.rawValue,
      "agrp": String(decoding: identity.group, as: UTF8.self),
      "pdmn": row.accessControl.accessibility.rawValue,
      "accc": SecAccessControl(row.accessControl),
      "cdat": Date(timeIntervalSince1970: Double(row.created)),
      "mdat": Date(timeIntervalSince1970: Double(row.modified)),
      "sync": NSNumber(value: identity["sync"]?.isEmpty == false),
    ]
    let data = namesOfData(row.attributes)
    func take(_ name: String, _ bytes: [UInt8]) {
      guard let kind = AttributeSchema.kind(of: name, in: identity.itemClass) else { return }
      dictionary[name] = AttributeValue.object(bytes, kind, isData: data.contains(name))
    }
    for (name, bytes) in zip(identity.itemClass.primaryAttributes, identity.primary)
    where !bytes.isEmpty && name != "sync" { take(name, bytes) }
    for pair in row.attributes.pairs {
      take(String(decoding: pair.name, as: UTF8.self), pair.value)
    }
    return dictionary
  }

  /// The identity and the other attributes of an item after these values were set.
  ///
  /// - Throws: `errSecParam` for a value that is too long.
  static func merge(
    _ values: [String: AttributeValue], into identity: ItemIdentity, _ attributes: Attributes,
    group: [UInt8]?
  ) throws(ItemFailure) -> (ItemIdentity, Attributes) {
    var attributes = attributes
    var data = namesOfData(attributes)
    var primary = identity.primary
    let names = identity.itemClass.primaryAttributes
    for (name, value) in values {
      let index = names.firstIndex(of: name)
      guard value.bytes.count <= (index == nil ? Limits.field : 4096) else {
        throw ItemFailure(errSecParam)
      }
      if let index {
        primary[index] = value.bytes
      } else {
        attributes[name] = value.bytes.isEmpty ? nil : value.bytes
      }
      if value.isData { data.insert(name) } else { data.remove(name) }
    }
    attributes[dataNames] =
      data.isEmpty ? nil : Array(data.sorted().joined(separator: ",").utf8)
    let group = group ?? identity.group
    guard group.count <= 1024 else { throw ItemFailure(errSecParam) }
    return (
      ItemIdentity(itemClass: identity.itemClass, group: group, primary: primary), attributes
    )
  }

  private static func namesOfData(_ attributes: Attributes) -> Set<String> {
    Set(
      String(decoding: attributes[dataNames] ?? [], as: UTF8.self).split(separator: ",").map(
        String.init))
  }
}
