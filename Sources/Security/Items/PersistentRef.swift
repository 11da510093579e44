import Wire

/// What stands for one item over time, as data: it outlives updates of the item, and never comes to
/// mean another one.
struct PersistentRef: Hashable {
  private static let mark = Array("whorl1".utf8)

  let itemClass: ItemClass
  let row: UInt64
  /// A row that was deleted may be used again, by an item of another time.
  let created: UInt64

  init(_ row: ItemRow) {
    itemClass = row.identity.itemClass
    self.row = row.row
    created = row.created
  }

  init(any value: Any) throws(ItemFailure) {
    guard let data = value as? Data, data.count == Self.mark.count + 4 + 16,
      Array(data.prefix(Self.mark.count)) == Self.mark,
      let itemClass = ItemClass(
        rawValue: String(decoding: data.dropFirst(Self.mark.count).prefix(4), as: UTF8.self))
    else { throw ItemFailure(errSecParam) }
    self.itemClass = itemClass
    let numbers = data.suffix(16)
    row = Self.number(numbers.prefix(8))
    created = Self.number(numbers.suffix(8))
  }

  var data: Data {
    Data(
      Self.mark + Array(itemClass.rawValue.utf8)
        + [row, created].flatMap { number in
          (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        })
  }

  private static func number(_ bytes: Data) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
