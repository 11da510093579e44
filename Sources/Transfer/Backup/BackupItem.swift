import AccessControl
import Wire

/// An item in a backup, without its secret.
public struct BackupItem: Equatable, Sendable {
  public let item: NewItem
  /// Seconds since 1970.
  public let created: UInt64
  /// Seconds since 1970.
  public let modified: UInt64

  public init(item: NewItem, created: UInt64, modified: UInt64) {
    self.item = item
    self.created = created
    self.modified = modified
  }

  var encoded: [UInt8] {
    var encoder = Encoder()
    item.identity.encode(into: &encoder)
    item.attributes.encode(into: &encoder)
    encoder.string(item.accessControl.binary)
    encoder.uint64(created)
    encoder.uint64(modified)
    encoder.uint8(item.store.map { $0.rawValue + 1 } ?? 0)
    return encoder.bytes
  }

  /// - Parameter version: the format's, which ``encoded`` is the last of.
  init(encoded: [UInt8], version: UInt8) throws(DecodingError) {
    var decoder = Decoder(encoded)
    let identity = try ItemIdentity(from: &decoder)
    let attributes = try Attributes(from: &decoder)
    let binary = try decoder.string(limit: AccessControl.binaryCount)
    let control: AccessControl
    do { control = try AccessControl(binary: binary) } catch { throw .invalid }
    created = try decoder.uint64()
    modified = try decoder.uint64()
    let store = version > 1 ? try Self.store(try decoder.uint8()) : nil
    item = NewItem(
      identity: identity, attributes: attributes, accessControl: control, store: store)
    try decoder.finish()
  }

  private static func store(_ number: UInt8) throws(DecodingError) -> StoreKind? {
    guard number > 0 else { return nil }
    guard let store = StoreKind(rawValue: number - 1) else { throw .invalid }
    return store
  }
}
