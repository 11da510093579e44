import Wire

/// Whose items they are: the uid and the account's name together, so that a reused uid does not
/// inherit what another account stored.
public struct Owner: Hashable, Sendable {
  public let user: UInt32
  public let name: [UInt8]

  public init(user: UInt32, name: [UInt8]) {
    self.user = user
    self.name = name
  }

  /// Few accounts share a uid.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
  }

  var encoded: [UInt8] {
    var encoder = Encoder()
    encode(into: &encoder)
    return encoder.bytes
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint32(user)
    encoder.string(name)
  }
}
