/// The classes of items, by Apple's four-letter codes.
public enum ItemClass: String, CaseIterable, Sendable {
  case genericPassword = "genp"
  case internetPassword = "inet"
  case key = "keys"

  /// The primary attributes in the order of the identity, by Apple's attribute codes.
  public var primaryAttributes: [String] {
    switch self {
    case .genericPassword: ["acct", "svce", "sync"]
    case .internetPassword: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "sync"]
    case .key:
      ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat", "sync"]
    }
  }
}

/// What makes an item this item, within one owner: class, access group and the class's primary
/// attributes. Adding a second item of the same identity is a duplicate, whatever else differs.
public struct ItemIdentity: Hashable, Sendable {
  public let itemClass: ItemClass
  /// The namespace of the program that stores; no boundary.
  public let group: [UInt8]
  /// One byte string for each of ``ItemClass/primaryAttributes``; absent ones are empty.
  public let primary: [[UInt8]]

  /// - Precondition: `primary` has one element for each primary attribute of the class.
  public init(itemClass: ItemClass, group: [UInt8], primary: [[UInt8]]) {
    precondition(primary.count == itemClass.primaryAttributes.count)
    self.itemClass = itemClass
    self.group = group
    self.primary = primary
  }

  /// A generic password, the class of everything the command line stores.
  public init(group: [UInt8], service: [UInt8], account: [UInt8]) {
    self.init(itemClass: .genericPassword, group: group, primary: [account, service, []])
  }

  /// The value of a primary attribute; nil for a name that is none of this class.
  public subscript(attribute: String) -> [UInt8]? {
    itemClass.primaryAttributes.firstIndex(of: attribute).map { primary[$0] }
  }

  /// The bytes that stand for the identity in the store and in associated data.
  public var encoded: [UInt8] {
    var encoder = Encoder()
    encode(into: &encoder)
    return encoder.bytes
  }

  public func encode(into encoder: inout Encoder) {
    encoder.text(itemClass.rawValue)
    encoder.string(group)
    for value in primary {
      encoder.string(value)
    }
  }

  public init(from decoder: inout Decoder) throws(DecodingError) {
    guard let itemClass = ItemClass(rawValue: try decoder.text(limit: 4)) else { throw .invalid }
    self.itemClass = itemClass
    group = try decoder.string(limit: 1024)
    let count = itemClass.primaryAttributes.count
    var primary: [[UInt8]] = []
    primary.reserveCapacity(count)
    for _ in 0..<count {
      primary.append(try decoder.string(limit: 4096))
    }
    self.primary = primary
  }
}
