/// What the enrolled prints of one user look like at one moment.
public enum EnrollmentState: Equatable, Sendable {
  /// The digest over every entry of the print folder.
  case enrolled(digest: [UInt8])
  /// No entry at all.
  case empty
  /// An entry that is not a print file: it counts as a change and equals nothing, itself included.
  case irregular(path: [UInt8])
  /// Prints are kept where Whorl cannot see them, so nothing can be bound to them.
  case unavailable

  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.enrolled(let left), .enrolled(let right)): left == right
    case (.empty, .empty): true
    default: false
    }
  }
}

/// Names one lifetime of an enrollment state. Random, 16 bytes, never used again.
public struct GenerationID: Hashable, Sendable {
  public static let count = 16

  public let bytes: [UInt8]

  /// - Returns: nil unless there are exactly ``count`` bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }
}
