import Vault

/// The rows that were read last, sealed as they are stored. What is read over and over costs no
/// lookup in the database; a few rows are enough for that, and take no memory to speak of. They are
/// so few that to compare them takes less than to hash an identity.
struct RecentRows {
  private static let limit = 16
  /// Bytes of a row that is kept.
  private static let size = 4096

  private var rows: [StoredItem] = []

  subscript(identity: [UInt8]) -> StoredItem? { rows.last { $0.identity == identity } }

  mutating func keep(_ item: StoredItem) {
    guard item.sealed.count <= Self.size else { return }
    if rows.count >= Self.limit { rows = [] }
    rows.append(item)
  }

  /// After anything is written.
  mutating func forget() { rows = [] }
}
