import Crypto
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

  /// Bytes of a source as it is.
  private static let sourceLimit = 1024

  private let names: [String]
  private let table: SecretTable

  /// - Returns: nil when there is no column of passwords.
  public init?(_ table: SecretTable) {
    self.table = table
    names = table.columns.map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard names.contains("password") || names.contains("login_password") else { return nil }
  }

  /// Columns whose content is not taken over: others, and the second of two that mean the same.
  public var unknown: [[UInt8]] {
    let wanted =
      [Self.titles, Self.users, Self.places, Self.folders] + Self.secrets.map { [$0.0] }
    let taken = Set(wanted.compactMap(index))
    return table.columns.indices.filter { !taken.contains($0) }.map { table.columns[$0] }
  }

  /// Rows that hold no secret at all, of which nothing is made.
  public var emptyRows: Int {
    let columns = Self.secrets.compactMap { index([$0.0]) }
    return table.rows.count { row in columns.allSatisfy { row[$0].count == 0 } }
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
        guard let index = index([column]), row[index].count > 0 else { continue }
        let suffix = Array(suffix.utf8)
        var source = Encoder()
        for part in [title, user, place, suffix] { source.string(part) }
        // Rows may be alike in all but the secret.
        let number = seen[source.bytes, default: 0]
        seen[source.bytes] = number + 1
        source.uint32(UInt32(number))
        // As long as the fields together, which an attribute need not hold.
        let isLong = source.bytes.count > Self.sourceLimit
        let mark = isLong ? Hash.blake2b(source.bytes) : source.bytes
        let plain = try IncomingItem(
          source: Array("csv:".utf8) + mark, version: [], label: title, pairs: attributes)
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
    index(wanted).map { SecretTable.bytes(row[$0]) } ?? []
  }

  /// The first column of the first of these names that there is.
  private func index(_ wanted: [String]) -> Int? {
    wanted.lazy.compactMap { names.firstIndex(of: $0) }.first
  }
}
