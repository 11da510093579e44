import Wire

/// What kinds of values an attribute takes, and how they become bytes of an item.
enum AttributeKind {
  /// A string or data; which of the two comes back as it was stored.
  case blob
  /// A string constant or a number, returned as a string.
  case constant
  case number
  case boolean
  case date
}

/// The attributes that items of a class have, by Apple's codes.
enum AttributeSchema {
  static func kind(of name: String, in itemClass: ItemClass) -> AttributeKind? {
    common[name] ?? special(itemClass)[name]
  }

  private static let common: [String: AttributeKind] = [
    "cdat": .date, "mdat": .date, "desc": .blob, "icmt": .blob, "labl": .blob, "crtr": .number,
    "type": .number, "invi": .boolean, "nega": .boolean, "sync": .boolean, "vwht": .blob,
  ]

  private static func special(_ itemClass: ItemClass) -> [String: AttributeKind] {
    switch itemClass {
    case .genericPassword: generic
    case .internetPassword: internet
    case .key: key
    }
  }

  private static let generic: [String: AttributeKind] = [
    "acct": .blob, "svce": .blob, "gena": .blob,
  ]
  private static let internet: [String: AttributeKind] = [
    "acct": .blob, "sdmn": .blob, "srvr": .blob, "ptcl": .constant, "atyp": .constant,
    "port": .number, "path": .blob,
  ]
  private static let key: [String: AttributeKind] = [
    "kcls": .constant, "klbl": .blob, "atag": .blob, "type": .constant, "bsiz": .number,
    "esiz": .number, "sdat": .date, "edat": .date, "perm": .boolean, "sens": .boolean,
    "extr": .boolean, "encr": .boolean, "decr": .boolean, "drve": .boolean, "sign": .boolean,
    "vrfy": .boolean, "wrap": .boolean, "unwp": .boolean, "snrc": .boolean, "vyrc": .boolean,
    "tkid": .constant,
  ]
}

/// One value of an attribute: its bytes, and whether it was given as data rather than as text.
struct AttributeValue {
  var bytes: [UInt8]
  var isData = false

  /// - Returns: nil for a value of the wrong type. Absent, false and empty are the same bytes.
  init?(_ value: Any, _ kind: AttributeKind) {
    switch kind {
    case .blob:
      if let text = value as? String {
        bytes = Array(text.utf8)
      } else if let data = value as? Data {
        (bytes, isData) = (Array(data), true)
      } else {
        return nil
      }
    case .constant:
      if let text = value as? String {
        bytes = Array(text.utf8)
      } else if let number = value as? NSNumber {
        bytes = Array("\(number)".utf8)
      } else {
        return nil
      }
    case .number:
      if let number = value as? NSNumber {
        bytes = Array("\(number)".utf8)
      } else if let text = value as? String, Int64(text) != nil {
        bytes = Array(text.utf8)
      } else {
        return nil
      }
    case .boolean:
      guard let number = value as? NSNumber else { return nil }
      bytes = number.boolValue ? [UInt8(ascii: "1")] : []
    case .date:
      guard let date = value as? Date else { return nil }
      bytes = Array("\(date.timeIntervalSince1970)".utf8)
    }
  }

  /// The value as a query returns it.
  static func object(_ bytes: [UInt8], _ kind: AttributeKind, isData: Bool) -> Any {
    let text = String(validating: bytes, as: UTF8.self)
    switch kind {
    case .blob: return isData || text == nil ? Data(bytes) : text ?? ""
    case .constant: return text ?? Data(bytes)
    case .number: return NSNumber(value: text.flatMap { Int64($0) } ?? 0)
    case .boolean: return NSNumber(value: !bytes.isEmpty)
    case .date: return Date(timeIntervalSince1970: text.flatMap { Double($0) } ?? 0)
    }
  }
}
