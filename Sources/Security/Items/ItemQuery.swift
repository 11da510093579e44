import AccessControl
import WhorlKit
import Wire

/// A dictionary of `SecItem…` as what it means. Every key and value is checked before anything
/// happens.
struct ItemQuery {
  enum Interaction { case allow, fail, skip }
  enum Limit: Equatable {
    case one, all
    case count(Int)
  }

  var itemClass: ItemClass?
  /// An explicit access group.
  var group: [UInt8]?
  /// Attributes by code; primary ones included.
  var attributes: [String: AttributeValue] = [:]
  /// Whether synchronizable items match, too, or all.
  var matchesAnySynchronizable = false
  var accessibility: Accessibility?
  var control: SecAccessControl?
  var data: Data?
  /// A key given as such.
  var ref: SecKey?
  var persistentRefs: [PersistentRef] = []
  var limit: Limit?
  var returns: Set<Return> = []
  var interaction = Interaction.allow
  var context: AuthContext?
  var reason: [UInt8] = []

  enum Return { case data, attributes, ref, persistentRef }

  /// - Throws: `errSecParam` for what is no query, `errSecUnimplemented` for classes that are not
  ///   kept.
  init(_ dictionary: CFDictionary) throws(ItemFailure) {
    var rest: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let name = key as? String else { throw ItemFailure(errSecParam) }
      rest[name] = value
    }
    try takeClass(&rest)
    try takeReturns(&rest)
    try takeUse(&rest)
    try takeValues(&rest)
    try takeMatches(&rest)
    try takeAccess(&rest)
    try takeAttributes(rest)
  }

  /// What an update changes: attributes, access and data of items of this class, nothing else.
  init(_ dictionary: CFDictionary, changing itemClass: ItemClass) throws(ItemFailure) {
    guard dictionary["class"] == nil, dictionary.count > 0 else { throw ItemFailure(errSecParam) }
    var whole = [String: Any]()
    for (key, value) in dictionary {
      guard let name = key as? String else { throw ItemFailure(errSecParam) }
      whole[name] = value
    }
    whole["class"] = itemClass.rawValue
    try self.init(whole as CFDictionary)
    guard returns.isEmpty, limit == nil, persistentRefs.isEmpty, context == nil, reason.isEmpty,
      interaction == .allow, !matchesAnySynchronizable
    else { throw ItemFailure(errSecParam) }
  }

  private mutating func takeClass(_ rest: inout [String: Any]) throws(ItemFailure) {
    guard let value = rest.removeValue(forKey: "class") else { return }
    guard let code = value as? String else { throw ItemFailure(errSecParam) }
    if ["cert", "idnt"].contains(code) { throw ItemFailure(errSecUnimplemented) }
    guard let itemClass = ItemClass(rawValue: code) else { throw ItemFailure(errSecParam) }
    self.itemClass = itemClass
  }

  private mutating func takeReturns(_ rest: inout [String: Any]) throws(ItemFailure) {
    for (name, what) in [
      ("r_Data", Return.data), ("r_Attributes", .attributes), ("r_Ref", .ref),
      ("r_PersistentRef", .persistentRef),
    ] {
      guard let value = rest.removeValue(forKey: name) else { continue }
      if try Self.boolean(value) { returns.insert(what) }
    }
  }

  private mutating func takeUse(_ rest: inout [String: Any]) throws(ItemFailure) {
    if let value = rest.removeValue(forKey: "u_NoAuthUI"), try Self.boolean(value) {
      interaction = .fail
    }
    if let value = rest.removeValue(forKey: "u_AuthUI") {
      switch value as? String {
      case "u_AuthUIA": interaction = .allow
      case "u_AuthUIF": interaction = .fail
      case "u_AuthUIS": interaction = .skip
      default: throw ItemFailure(errSecParam)
      }
    }
    if let value = rest.removeValue(forKey: "u_AuthCtx") {
      guard let holder = value as? any SecAuthenticationContext else {
        throw ItemFailure(errSecParam)
      }
      do throws(KeychainError) { context = try holder.authContext() } catch {
        throw ItemFailure(error)
      }
    }
    if let value = rest.removeValue(forKey: "u_OpPrompt") {
      guard let text = value as? String else { throw ItemFailure(errSecParam) }
      reason = Array(text.utf8.prefix(1024))
    }
    // There is one keychain, of the data-protection kind.
    for name in ["nleg", "kuse", "u_Keychain", "m_SearchList"] { rest[name] = nil }
  }

  private mutating func takeValues(_ rest: inout [String: Any]) throws(ItemFailure) {
    if let value = rest.removeValue(forKey: "v_Data") {
      guard let bytes = value as? Data else { throw ItemFailure(errSecParam) }
      data = bytes
    }
    if let value = rest.removeValue(forKey: "v_Ref") {
      guard let key = value as? SecKey, itemClass ?? .key == .key else {
        throw ItemFailure(errSecParam)
      }
      ref = key
      itemClass = .key
    }
    if let value = rest.removeValue(forKey: "v_PersistentRef") {
      persistentRefs = [try PersistentRef(any: value)]
    }
    if let value = rest.removeValue(forKey: "m_ItemList") ?? rest.removeValue(forKey: "u_ItemList")
    {
      guard let list = value as? [Any], persistentRefs.isEmpty else {
        throw ItemFailure(errSecParam)
      }
      for entry in list { persistentRefs.append(try PersistentRef(any: entry)) }
    }
  }

  private mutating func takeMatches(_ rest: inout [String: Any]) throws(ItemFailure) {
    if let value = rest.removeValue(forKey: "m_Limit") {
      if let text = value as? String {
        switch text {
        case "m_LimitOne": limit = .one
        case "m_LimitAll": limit = .all
        default: throw ItemFailure(errSecParam)
        }
      } else if let number = value as? NSNumber, number.intValue > 0 {
        limit = .count(number.intValue)
      } else {
        throw ItemFailure(errSecParam)
      }
    }
    for name in ["m_CaseInsensitive", "m_DiacriticInsensitive", "m_WidthInsensitive"] {
      // Attributes are compared byte by byte, so only the negative can be promised.
      if let value = rest.removeValue(forKey: name), try Self.boolean(value) {
        throw ItemFailure(errSecUnimplemented)
      }
    }
  }

  private mutating func takeAccess(_ rest: inout [String: Any]) throws(ItemFailure) {
    if let value = rest.removeValue(forKey: "agrp") {
      guard let text = value as? String, !text.isEmpty else { throw ItemFailure(errSecParam) }
      group = Array(text.utf8)
    }
    if let value = rest.removeValue(forKey: "accc") {
      guard let control = value as? SecAccessControl else { throw ItemFailure(errSecParam) }
      self.control = control
    }
    if let value = rest.removeValue(forKey: "pdmn") {
      guard control == nil, let text = value as? String,
        let accessibility = try? Accessibility(text: text)
      else { throw ItemFailure(errSecParam) }
      self.accessibility = accessibility
    }
    if let text = rest["sync"] as? String, text == "syna" {
      rest["sync"] = nil
      matchesAnySynchronizable = true
    }
  }

  private mutating func takeAttributes(_ rest: [String: Any]) throws(ItemFailure) {
    for (name, value) in rest {
      // Without a class only a persistent reference can name the item, and nothing else.
      guard let itemClass, let kind = AttributeSchema.kind(of: name, in: itemClass),
        let value = AttributeValue(value, kind)
      else { throw ItemFailure(errSecParam) }
      attributes[name] = value
    }
  }

  private static func boolean(_ value: Any) throws(ItemFailure) -> Bool {
    guard let number = value as? NSNumber else { throw ItemFailure(errSecParam) }
    return number.boolValue
  }
}
