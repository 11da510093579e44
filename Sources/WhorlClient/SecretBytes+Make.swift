import SecretMemory

extension SecretBytes {
  /// The failure of locked memory in the words of this library.
  static func make(count: Int) throws(KeychainError) -> SecretBytes {
    do { return try SecretBytes(count: count) } catch { throw KeychainError(.exhausted) }
  }
}
