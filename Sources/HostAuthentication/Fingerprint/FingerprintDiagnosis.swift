/// A reader as fprintd lists it.
public struct FingerprintReader: Equatable, Sendable {
  /// The object path, valid while the pinned owner lives.
  public let path: String
  /// fprintd's names of the user's enrolled fingers on this reader.
  public let fingers: [String]
}

/// Why a finger can or cannot be asked for now. fprintd tells no more than this without taking
/// the reader.
public enum FingerprintDiagnosis: Equatable, Sendable {
  /// - owner: the unique bus name the answers came from.
  case ready(owner: String, readers: [FingerprintReader])
  /// fprintd is not on the bus and cannot be started.
  case noService
  case noReader
  case notEnrolled(readers: [FingerprintReader])
  /// Another program holds the reader.
  case busy
  case timedOut
  /// An answer nobody expects; the text is for the log.
  case failed(String)
}
