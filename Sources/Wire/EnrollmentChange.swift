/// What ended a generation, as far as it is known.
public struct EnrollmentChange: Equatable, Sendable {
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// Nothing was written down about it.
    case unknown = 0
    /// A print appeared.
    case enrolled = 1
    case deleted = 2
    /// The print of a finger was replaced.
    case reenrolled = 3
    /// An entry appeared that is no file, lies where no print does, or cannot be read as one.
    case irregular = 4
    case allDeleted = 5
    case unavailable = 6
  }

  public var kind: Kind
  /// The entry's path below the user's print folder.
  public var path: [UInt8]
  /// When the print was written or the change seen, in seconds since 1970.
  public var time: UInt64

  public init(_ kind: Kind, path: [UInt8] = [], time: UInt64 = 0) {
    self.kind = kind
    self.path = path
    self.time = time
  }

  public func encode(into encoder: inout Encoder) {
    encoder.uint8(kind.rawValue)
    encoder.string(path)
    encoder.uint64(time)
  }

  public init(from decoder: inout Decoder) throws(DecodingError) {
    guard let kind = Kind(rawValue: try decoder.uint8()) else { throw .invalid }
    self.kind = kind
    path = try decoder.string(limit: 4096)
    time = try decoder.uint64()
  }
}
