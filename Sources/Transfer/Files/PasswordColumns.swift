import SecretMemory
import WhorlClient
import Wire

/// What the columns of a password program's CSV mean: KeePassXC's, Bitwarden's, 1Password's and the
/// browsers', which name them alike.
public struct PasswordColumns {
  /// Columns that hold secrets, and what is added to the name of the item.
  private static let secrets = [
    ("password", ""), ("login_password", ""), ("totp", " (totp)"), ("login_totp", " (totp)"),
    ("otpauth", " (totp)"), ("notes", " (notes)"), ("note", " (notes)"), ("notesplain", " (notes)"),
  ]
  private static let titles = ["title", "name"]
  private static let users = ["username", "login_username", "user"]
  private static let places = ["url", "login_uri", "website"]
  private static let folders = ["group", "folder"]

  private let names: [String]
  private let table: SecretTable

  /// - Returns: nil when there is no column of passwords.
  public init?(_ table: SecretTable) {
    self.table = table
    names = table.columns.map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard names.contains("password") || names.contains("login_password") else { return nil }
  }

  /// Columns whose content is not taken over.
  public var unknown: [[UInt8]] {
    let known = Self.titles + Self.users + Self.places + Self.folders + Self.secrets.map(\.0)
    return zip(names, table.columns).filter { !known.contains($0.0) }.map(\.1)
  }

  /// An item for each secret that is not empty.
  public func items() throws(ImportError) -> [(item: IncomingItem, secret: SecretBytes)] {
    var items: [(item: IncomingItem, secret: SecretBytes)] = []
    var seen: [[UInt8]: Int] = [:]
    for row in table.rows {
      let title = text(Self.titles, row)
      let user = text(Self.users, row)
      let place = text(Self.places, row)
      var attributes: [(name: [UInt8], value: [UInt8])] = []
      for (name, value) in [
        ("username", user), ("url", place), ("folder", text(Self.folders, row)),
      ]
      where !value.isEmpty { attributes.append((Array(name.utf8), value)) }
      for (column, suffix) in Self.secrets {
        guard let index = names.firstIndex(of: column), row[index].count > 0 else { continue }
        let suffix = Array(suffix.utf8)
        var source = Encoder()
        for part in [title, user, place, suffix] { source.string(part) }
        // Rows may be alike in all but the secret.
        let number = seen[source.bytes, default: 0]
        seen[source.bytes] = number + 1
        source.uint32(UInt32(number))
        let plain = try IncomingItem(
          source: Array("csv:".utf8) + source.bytes, version: [], label: title, pairs: attributes)
        let name = ItemName(
          service: user.isEmpty ? [] : title,
          wishedAccount: (user.isEmpty ? title : user) + suffix)
        items.append(
          (
            IncomingItem(source: plain.source, name: name, attributes: plain.attributes),
            row[index]
          ))
      }
    }
    return items
  }

  private func text(_ wanted: [String], _ row: [SecretBytes]) -> [UInt8] {
    for name in wanted {
      if let index = names.firstIndex(of: name) { return SecretTable.bytes(row[index]) }
    }
    return []
  }
}
