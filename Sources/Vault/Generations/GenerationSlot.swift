import AccessControl
import Crypto
import SecretMemory
import Wire

/// The content of one slot of a generation file.
///
/// Plaintext, ``count`` bytes: format (1), live (0 or 1), id (16), key (32), digest format (1),
/// digest (32), created (`uint64`). A slot that is not live has zeros behind its second byte.
///
/// Sealed as a box (nonce, ciphertext, tag of XChaCha20-Poly1305) under the shred key, with the
/// associated data `string` "whorl generation" and `string` owner, which is `uint32` uid and
/// `string` name. At most one of an owner's two slots opens, because every write goes with a
/// rotation of the shred key; where none opens, no generation lives.
enum GenerationSlot {
  static let count = 1 + 1 + GenerationID.count + 32 + 1 + 32 + 8
  private static let format: UInt8 = 1

  static func plaintext(_ generation: Generation?) throws(VaultError) -> SecretBytes {
    var head: [UInt8] = [format, generation == nil ? 0 : 1]
    var tail: [UInt8] = []
    if let generation {
      head += generation.id.bytes
      var encoder = Encoder()
      encoder.uint8(EnrollmentDigest.format)
      encoder.uint64(generation.created)
      tail = [encoder.bytes[0]] + generation.digest + encoder.bytes.dropFirst()
    }
    let slot: SecretBytes
    do { slot = try SecretBytes(count: count) } catch { throw .exhausted }
    slot.withMutableBytes { bytes in
      for (index, byte) in head.enumerated() { bytes[index] = byte }
      guard let generation else { return }
      generation.key.withBytes { key in
        for index in 0..<key.count { bytes[head.count + index] = key[index] }
      }
      for (index, byte) in tail.enumerated() { bytes[head.count + 32 + index] = byte }
    }
    return slot
  }

  /// - Returns: nil for a slot that says no generation lives.
  /// - Throws: `.forged` for a slot of another format.
  static func generation(_ slot: SecretBytes) throws(VaultError) -> Generation? {
    guard slot.count == count else { throw .forged }
    let key: SecretBytes
    do { key = try SecretBytes(count: 32) } catch { throw .exhausted }
    let head = 2 + GenerationID.count
    var publicBytes: [UInt8] = []
    slot.withBytes { bytes in
      for index in 0..<head { publicBytes.append(bytes[index]) }
      for index in head + 32..<count { publicBytes.append(bytes[index]) }
      key.withMutableBytes { key in
        for index in 0..<32 { key[index] = bytes[head + index] }
      }
    }
    guard publicBytes[0] == format, publicBytes[1] <= 1 else { throw .forged }
    guard publicBytes[1] == 1 else { return nil }
    guard let id = GenerationID(Array(publicBytes[2..<head])),
      publicBytes[head] == EnrollmentDigest.format
    else { throw .forged }
    var decoder = Decoder(Array(publicBytes[(head + 33)...]))
    guard let created = try? decoder.uint64() else { throw .forged }
    return Generation(
      id: id, key: key, digest: Array(publicBytes[head + 1..<head + 33]), created: created)
  }
}
