import CSodium
import SecretMemory

/// Keyed BLAKE2b with 32 bytes of output.
///
/// The state is wiped when the value goes, since it is as good as the key.
@safe
public struct KeyedHash: ~Copyable {
  public static let count = 32

  private let memory: UnsafeMutableRawPointer
  // SAFETY: the memory has the size of a state and lives as long as the value.
  private var state: OpaquePointer { unsafe OpaquePointer(memory) }

  /// - Parameter key: 16 to 64 bytes.
  public init(key: SecretBytes) {
    precondition(16...64 ~= key.count)
    // SAFETY: allocated here with the library's size, owned by this value and freed in deinit.
    unsafe memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
    unsafe key.withUnsafeBytes { key in
      _ = unsafe crypto_generichash_init(
        state, key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count, Self.count)
    }
  }

  deinit {
    // SAFETY: as in init; nothing refers to it any more.
    unsafe sodium_memzero(memory, crypto_generichash_statebytes())
    unsafe memory.deallocate()
  }

  public mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the span's own length; the library keeps no pointer.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      _ = unsafe crypto_generichash_update(state, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  public mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  public consuming func finish() -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Self.count)
    // SAFETY: the output has the length given to init.
    unsafe hash.withUnsafeMutableBufferPointer { hash in
      guard let start = hash.baseAddress else { return }
      _ = unsafe crypto_generichash_final(state, start, hash.count)
    }
    return hash
  }

  /// The output where only locked memory may hold it.
  consuming func finish(into secret: SecretBytes) {
    precondition(secret.count == Self.count)
    // SAFETY: the output has the length given to init.
    unsafe secret.withUnsafeBytes { secret in
      guard let start = unsafe secret.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return
      }
      _ = unsafe crypto_generichash_final(state, start, secret.count)
    }
  }

  public static func hash(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
    var hash = KeyedHash(key: key)
    hash.update(message)
    return hash.finish()
  }
}
