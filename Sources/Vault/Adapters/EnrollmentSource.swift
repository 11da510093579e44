import AccessControl
import SecretMemory

/// Tells which prints are enrolled. Looking changes nothing.
public protocol EnrollmentSource: AnyObject {
  /// Reads every entry of the user's print folder now.
  ///
  /// - Parameter contentKey: the key of each entry's ``PrintEntry/contentHash``.
  func entries(of owner: Owner, contentKey: SecretBytes) -> EnrolledPrints
}

/// What a look at the print folder found.
public enum EnrolledPrints: Equatable, Sendable {
  /// Every entry, in any order; empty when nothing is enrolled.
  case entries([PrintEntry])
  /// An entry that is no regular file, is over 1 MiB, or changed while it was read.
  case irregular(path: [UInt8])
  /// Prints are not kept in files, or the folder cannot be read.
  case unavailable
}

/// One file of the print folder.
public struct PrintEntry: Equatable, Sendable {
  /// Below the user's folder.
  public let path: [UInt8]
  /// Modification time, nanoseconds since 1970: it tells a re-enrolled finger whose file came out
  /// the same.
  public let modified: UInt64
  /// Keyed BLAKE2b-256 of the file's bytes. The bytes themselves are never kept.
  public let contentHash: [UInt8]

  public init(path: [UInt8], modified: UInt64, contentHash: [UInt8]) {
    self.path = path
    self.modified = modified
    self.contentHash = contentHash
  }
}
