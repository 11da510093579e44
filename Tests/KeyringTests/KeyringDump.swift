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

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    items = try container.decodeIfPresent([Item].self, forKey: .items) ?? []
    locked = try container.decodeIfPresent([String].self, forKey: .locked) ?? []
  }

  private enum Key: CodingKey { case items, locked }
}
