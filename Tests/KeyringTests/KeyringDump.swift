/// What a keyring holds, as items.py tells.
struct KeyringDump: Decodable {
  struct Item: Decodable {
    let path: String
    let label: String
    let attributes: [String: String]
    let secret: String
  }
  var items: [Item] = []
  var locked: [String] = []
  /// Of every entry that is listed, whether or not it can be had.
  var paths: [String] = []
  /// Items of the default collection.
  var count = 0

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    items = try container.decodeIfPresent([Item].self, forKey: .items) ?? []
    count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 0
    paths = try container.decodeIfPresent([String].self, forKey: .paths) ?? []
    locked = try container.decodeIfPresent([String].self, forKey: .locked) ?? []
  }

  private enum Key: CodingKey { case items, locked, paths, count }
}
