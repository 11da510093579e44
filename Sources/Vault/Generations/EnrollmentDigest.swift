import AccessControl
import Crypto
import SecretMemory
import Wire

/// The digest that stands for a set of enrolled prints.
///
/// Format 1: keyed BLAKE2b-256 over `string` "whorl enrollment 1", `uint32` count, and for each
/// entry in the order of path bytes `string` path, `uint64` modification time in nanoseconds,
/// `string` keyed BLAKE2b-256 of the content. With the KDF of ``ItemKeys``, the digest's key is
/// KDF(host key, "whorl enrollment", owner) and the contents' key is
/// KDF(host key, "whorl print content", owner). What programs get as domain state is keyed
/// BLAKE2b-256 of the digest, under KDF(host key, "whorl domain state", owner).
///
/// A change of any byte, name or time of any entry, print or
/// not, gives another digest. Inodes add nothing: a file that is deleted and written again gets
/// the same one.
public enum EnrollmentDigest {
  public static let format: UInt8 = 1

  public static func state(
    _ prints: EnrolledPrints, key: SecretBytes
  ) -> EnrollmentState {
    switch prints {
    case .unavailable: .unavailable
    case .irregular(let path): .irregular(path: path)
    case .entries(let entries):
      entries.isEmpty ? .empty : .enrolled(digest: digest(entries, key: key))
    }
  }

  static func digest(_ entries: [PrintEntry], key: SecretBytes) -> [UInt8] {
    let sorted = entries.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    var encoder = Encoder()
    encoder.text("whorl enrollment 1")
    encoder.list(sorted) { encoder, entry in
      encoder.string(entry.path)
      encoder.uint64(entry.modified)
      encoder.string(entry.contentHash)
    }
    return KeyedHash.hash(encoder.bytes, key: key)
  }
}
