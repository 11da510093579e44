import WhorlClient
import Wire

@testable import Transfer

/// - Throws: where an item could not be stored, could not be named on the command line, or would be
///   taken for another.
func requireImportable(_ items: [IncomingItem]) throws {
  try require(
    Set(items.map(\.source)).count == items.count, "an item is told from the others of its file")
  for item in items {
    for name in [item.name, item.name.numbered(2)] {
      try require(
        ItemName(name.bytes) == name && name.bytes.count <= 600,
        "the command line can say the name of an item")
    }
    for isPending in [false, true] {
      let marked = item.marked(pending: isPending)
      var decoder = Decoder(marked.encoded)
      try require(
        (try? Attributes(from: &decoder)) == marked && decoder.remaining == 0,
        "the service takes the attributes of an item")
    }
  }
}
