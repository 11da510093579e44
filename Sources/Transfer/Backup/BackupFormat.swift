/// The file of a backup, version 2. Numbers are big-endian; `string` is a `uint32` length and bytes.
///
///     file      = header record… last-record checksum
///     header    = "WHORLBAK" version:uint8 salt:16 bytes
///     record    = string(nonce:24 ‖ ciphertext ‖ tag:16), XChaCha20-Poly1305 (IETF)
///     key       = Argon2id(passphrase, salt), 64 MiB, 3 passes, 1 lane, 32 bytes
///     data      = header ‖ index:uint64 ‖ is-last:uint8, the associated data of each record
///     checksum  = BLAKE2b-256 of everything before
///
/// A record is one item: `string(description)`, then the secret to the end. A description is the
/// identity and the attributes as on the wire, `string` of the access control's binary form, the
/// times of creation and change as `uint64`, and the store as `uint8`: 0 for nothing said, 1 for the
/// service's own, 2 for the user's keyring. The last record holds `uint64` the number of items and
/// `uint64` the time of the backup.
///
/// A file of version 1, which is read all the same, says nothing of stores: a description ends with
/// the times.
///
/// The index keeps records from being swapped, left out or taken from another backup, the last
/// record the file from being cut. The checksum tells damage without the passphrase; it proves
/// nothing against who alters a file on purpose, which the tags do.
enum BackupFormat {
  static let magic = Array("WHORLBAK".utf8)
  static let version: UInt8 = 2
  /// What can be read.
  static let versions: ClosedRange<UInt8> = 1...version
  static let headerCount = magic.count + 1 + 16
  /// Bytes of the longest record: a secret, a description, a tag.
  static let recordLimit = 1024 * 1024 + 128 * 1024

  static func associatedData(_ header: [UInt8], index: Int, isLast: Bool) -> [UInt8] {
    let index = UInt64(index)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: index >> (56 - 8 * UInt64($0))) }
    return header + bytes + [isLast ? 1 : 0]
  }
}
