import WhorlClient
import Wire

/// An item that somebody else keeps, on its way into Whorl, without its secret.
public struct IncomingItem: Sendable {
  /// Tells it from all others of any source, and is the same on every run.
  public let source: [UInt8]
  /// Changes when the item changes there; empty where the source does not say.
  public let version: [UInt8]
  /// The name it gets, if nothing else has it.
  public let name: ItemName
  /// What is kept beside the secret, the label among it.
  public let attributes: Attributes

  /// Marks of an import among an item's attributes.
  static let sourceMark = "whorl.source"
  static let versionMark = "whorl.version"
  /// Until the stored secret was compared and its access control set.
  static let pendingMark = "whorl.pending"

  public init(source: [UInt8], version: [UInt8] = [], name: ItemName, attributes: Attributes) {
    self.source = source
    self.version = version
    self.name = name
    self.attributes = attributes
  }

  /// - Throws: `.unfit` for attributes that an item of Whorl's cannot have.
  public init(
    source: [UInt8], version: [UInt8], label: [UInt8],
    pairs: [(name: [UInt8], value: [UInt8])]
  ) throws(ImportError) {
    var attributes = Attributes()
    for pair in pairs {
      guard 1...256 ~= pair.name.count, pair.value.count <= Limits.field,
        pair.name != Array("labl".utf8), !pair.name.starts(with: "whorl.".utf8)
      else { throw .unfit }
      attributes[pair.name] = pair.value
    }
    if !label.isEmpty { attributes["labl"] = label }
    // Three marks are added.
    guard attributes.pairs.count + 3 <= Limits.attributes, label.count <= Limits.field,
      source.count <= Limits.field
    else { throw .unfit }
    self.init(
      source: source, version: version, name: ItemName(label: label, attributes: attributes),
      attributes: attributes)
  }

  func marked(pending: Bool) -> Attributes {
    var marked = attributes
    marked[Self.sourceMark] = source
    marked[Self.versionMark] = version.isEmpty ? nil : version
    marked[Self.pendingMark] = pending ? [1] : nil
    return marked
  }
}
