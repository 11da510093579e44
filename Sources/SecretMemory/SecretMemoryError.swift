public enum SecretMemoryError: Error, Equatable, Sendable {
  /// The kernel locks no more memory for this process.
  case exhausted
}
