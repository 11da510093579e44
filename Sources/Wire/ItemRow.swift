import AccessControl

/// One item as a list names it: everything but the secret.
public struct ItemRow: Equatable, Sendable {
  /// The position in the store, for ``Query/after``.
  public var row: UInt64
  public var identity: ItemIdentity
  public var attributes: Attributes
  public var accessControl: AccessControl
  /// Seconds since 1970.
  public var created: UInt64
  public var modified: UInt64
  /// Whether every branch is bound to an enrollment state that is gone.
  public var isInvalidated: Bool
  /// Whether the branches that are bound to an enrollment state are dead; others may still open.
  public var hasDeadBranch: Bool
  /// Where it is kept.
  public var store: StoreKind
  /// Whether its sealed form is in that store. The service keeps what is not.
  public var isPlaced: Bool

  /// - Parameter hasDeadBranch: by default, as of an item without other branches.
  public init(
    row: UInt64, identity: ItemIdentity, attributes: Attributes, accessControl: AccessControl,
    created: UInt64, modified: UInt64, isInvalidated: Bool, hasDeadBranch: Bool? = nil,
    store: StoreKind = .own, isPlaced: Bool = true
  ) {
    self.store = store
    self.isPlaced = isPlaced
    self.row = row
    self.identity = identity
    self.attributes = attributes
    self.accessControl = accessControl
    self.created = created
    self.modified = modified
    self.isInvalidated = isInvalidated
    self.hasDeadBranch = hasDeadBranch ?? isInvalidated
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint64(row)
    identity.encode(into: &encoder)
    attributes.encode(into: &encoder)
    encoder.accessControl(accessControl)
    encoder.uint64(created)
    encoder.uint64(modified)
    encoder.bool(isInvalidated)
    encoder.uint8(
      (hasDeadBranch ? 1 : 0) | store.rawValue << 1 | (isPlaced ? 0 : Self.isUnplaced))
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    row = try decoder.uint64()
    identity = try ItemIdentity(from: &decoder)
    attributes = try Attributes(from: &decoder)
    accessControl = try decoder.accessControl()
    created = try decoder.uint64()
    modified = try decoder.uint64()
    isInvalidated = try decoder.bool()
    let flags = try decoder.uint8()
    hasDeadBranch = flags & 1 == 1
    isPlaced = flags & Self.isUnplaced == 0
    guard let store = StoreKind(rawValue: (flags & ~Self.isUnplaced) >> 1),
      isPlaced || store != .own
    else { throw .invalid }
    self.store = store
  }

  private static let isUnplaced: UInt8 = 0x80
}

/// What `show` tells of one item.
public struct ItemDetail: Equatable, Sendable {
  public var row: ItemRow
  /// Whether a branch is bound to the enrollment state.
  public var binding: Binding
  /// The length of the secret in bytes.
  public var secretCount: UInt32

  /// How an item stands to the enrolled prints.
  public enum Binding: Equatable, Sendable {
    /// No branch is bound.
    case unbound
    case live
    /// The bound branches are dead, for this reason.
    case ended(EnrollmentChange)
  }

  public init(row: ItemRow, binding: Binding, secretCount: UInt32) {
    self.row = row
    self.binding = binding
    self.secretCount = secretCount
  }

  func encode(into encoder: inout Encoder) {
    row.encode(into: &encoder)
    switch binding {
    case .unbound: encoder.uint8(0)
    case .live: encoder.uint8(1)
    case .ended(let change):
      encoder.uint8(2)
      change.encode(into: &encoder)
    }
    encoder.uint32(secretCount)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    row = try ItemRow(from: &decoder)
    switch try decoder.uint8() {
    case 0: binding = .unbound
    case 1: binding = .live
    case 2: binding = .ended(try EnrollmentChange(from: &decoder))
    default: throw .invalid
    }
    secretCount = try decoder.uint32()
  }
}
