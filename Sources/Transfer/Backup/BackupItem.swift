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
    return encoder.bytes
  }

  init(encoded: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(encoded)
    let identity = try ItemIdentity(from: &decoder)
    let attributes = try Attributes(from: &decoder)
    let binary = try decoder.string(limit: AccessControl.binaryCount)
    let control: AccessControl
    do { control = try AccessControl(binary: binary) } catch { throw .invalid }
    item = NewItem(identity: identity, attributes: attributes, accessControl: control)
    created = try decoder.uint64()
    modified = try decoder.uint64()
    try decoder.finish()
  }
}
