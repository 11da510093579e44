import WhorlClient
import Wire

/// An item as people see it in their keyring.
extension PlacedItem {
  private static func name(_ text: String) -> [UInt8] { Array(text.utf8) }

  static func attribute(id: [UInt8]) -> (name: [UInt8], value: [UInt8]) {
    (name("whorl:id"), hexadecimal(id))
  }

  static func attribute(_ form: SealedForm) -> (name: [UInt8], value: [UInt8]) {
    (name("whorl:form"), hexadecimal(form.digest))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// Says whose it is: the form is no password that could be used elsewhere.
  var keyringLabel: [UInt8] {
    let own = Self.text(attributes["labl"] ?? []) ?? []
    let label = own.isEmpty ? Self.text(identity.name.bytes) ?? [] : own
    return label.prefix(1024) + Self.name(label.isEmpty ? "Whorl" : " (sealed by Whorl)")
  }

  /// The item's own attributes are there to search by, as far as they are text.
  var keyringAttributes: [(name: [UInt8], value: [UInt8])] {
    var pairs = [
      (name: Self.name("xdg:schema"), value: Self.name("org.whorl.SealedItem")),
      Self.attribute(id: form.id), Self.attribute(form),
    ]
    let words = [
      ("service", identity.name.service), ("account", identity.name.account),
      ("group", identity.group),
    ]
    for (word, value) in words where !value.isEmpty {
      if let value = Self.text(value) { pairs.append((Self.name("whorl:" + word), value)) }
    }
    for pair in attributes.pairs where pair.name != Self.name("labl") {
      guard let name = Self.text(pair.name), let value = Self.text(pair.value) else { continue }
      pairs.append((Self.name("whorl:attr:") + name, value))
    }
    return pairs
  }

  /// The bytes where D-Bus takes them for a string, else nil.
  private static func text(_ bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    return bytes
  }
}
