import Crypto
import SecretMemory
import Vault
import Wire

/// One record of the shred slot, 72 bytes: `uint64` sequence, key (32), and the keyed hash of
/// both under the host key (32), which tells a whole record from half of one.
struct ShredRecord {
  static let count = 72

  let sequence: UInt64
  let key: SecretBytes

  init(sequence: UInt64, key: SecretBytes) {
    self.sequence = sequence
    self.key = key
  }

  /// - Returns: nil for bytes that are not a whole record.
  init?(_ bytes: SecretBytes, _ hostKey: SecretBytes) throws(StorageError) {
    let key: SecretBytes
    do { key = try SecretBytes(count: 32) } catch { throw .failed }
    var head: [UInt8] = []
    var hash: [UInt8] = []
    bytes.withBytes { bytes in
      for index in 0..<8 { head.append(bytes[index]) }
      for index in 40..<Self.count { hash.append(bytes[index]) }
      key.withMutableBytes { key in
        for index in 0..<32 { key[index] = bytes[8 + index] }
      }
    }
    guard hash == Self.hash(head, key, hostKey) else { return nil }
    var decoder = Decoder(head)
    // No count gets past the half, and one that starts below it never ends.
    guard let sequence = try? decoder.uint64(), sequence <= .max / 2 else { return nil }
    self.init(sequence: sequence, key: key)
  }

  func encoded(_ hostKey: SecretBytes) throws(StorageError) -> SecretBytes {
    var encoder = Encoder()
    encoder.uint64(sequence)
    let head = encoder.bytes
    let hash = Self.hash(head, key, hostKey)
    let bytes: SecretBytes
    do { bytes = try SecretBytes(count: Self.count) } catch { throw .failed }
    bytes.withMutableBytes { bytes in
      for index in 0..<8 { bytes[index] = head[index] }
      key.withBytes { key in
        for index in 0..<32 { bytes[8 + index] = key[index] }
      }
      for index in 0..<32 { bytes[40 + index] = hash[index] }
    }
    return bytes
  }

  private static func hash(
    _ head: [UInt8], _ key: SecretBytes, _ hostKey: SecretBytes
  ) -> [UInt8] {
    var hash = KeyedHash(key: hostKey)
    hash.update(Array("whorl shred record".utf8))
    hash.update(head)
    key.withBytes { hash.update($0) }
    return hash.finish()
  }
}
