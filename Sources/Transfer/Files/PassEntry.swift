import SecretMemory
import WhorlClient
import Wire

/// What a file of a password store holds once it is decrypted: by pass(1)'s own convention the first
/// line is the password. What follows is an item of its own.
public struct PassEntry {
  public let items: [(item: IncomingItem, secret: SecretBytes)]

  /// - Parameter name: the file's path below the store, without its suffix.
  public init(name: [UInt8], text: SecretBytes) throws(FileError) {
    let end = text.withBytes { text in
      text.indices.first { text[$0] == UInt8(ascii: "\n") } ?? text.count
    }
    var items = [(Self.password(of: name), try SecretBytes.field(of: text, 0..<end))]
    if end + 1 < text.count {
      // No file's name holds a zero: one that ends in “ (notes)” is another source.
      let notes = IncomingItem(
        source: Self.source(name) + Array("\0notes".utf8),
        name: ItemName(service: [], wishedAccount: name + Array(" (notes)".utf8)),
        attributes: Attributes())
      items.append((notes, try SecretBytes.field(of: text, end + 1..<text.count)))
    }
    self.items = items
  }

  /// The item that every file has, for who knows no more than its name.
  public static func password(of name: [UInt8]) -> IncomingItem {
    IncomingItem(
      source: source(name), name: ItemName(service: [], wishedAccount: name),
      attributes: Attributes())
  }

  private static func source(_ name: [UInt8]) -> [UInt8] { Array("pass:".utf8) + name }
}
