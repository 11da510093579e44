import Crypto
import SecretMemory
import Wire

/// Makes a backup, item by item.
public struct BackupWriter {
  private let header: [UInt8]
  private let key: SecretBytes
  private var bytes: [UInt8]
  private var count = 0

  /// Takes the time of an Argon2id hash.
  public init(passphrase: SecretBytes) throws(BackupError) {
    guard passphrase.count > 0 else { throw .empty }
    let salt = Random.bytes(PasswordHash.saltCount)
    let key: SecretBytes
    do { key = try PasswordHash.derive(password: passphrase, salt: salt) } catch {
      throw .exhausted
    }
    self.init(salt: salt, key: key)
  }

  /// By the key that the passphrase and the salt make.
  init(salt: [UInt8], key: SecretBytes) {
    header = BackupFormat.magic + [BackupFormat.version] + salt
    self.key = key
    bytes = header
  }

  public mutating func add(_ item: BackupItem, secret: SecretBytes) throws(BackupError) {
    var description = Encoder()
    description.string(item.encoded)
    let head = description.bytes
    guard let record = try? SecretBytes(count: head.count + secret.count) else { throw .exhausted }
    record.withMutableBytes { record in
      for (index, byte) in head.enumerated() { record[index] = byte }
      secret.withBytes { secret in
        for index in secret.indices { record[head.count + index] = secret[index] }
      }
    }
    try append(record, isLast: false)
    count += 1
  }

  /// - Parameter date: seconds since 1970.
  /// - Returns: the whole file.
  public consuming func finish(date: UInt64) throws(BackupError) -> [UInt8] {
    var last = Encoder()
    last.uint64(UInt64(count))
    last.uint64(date)
    guard let record = try? SecretBytes(copying: last.bytes.span) else { throw .exhausted }
    try append(record, isLast: true)
    return bytes + Hash.blake2b(bytes)
  }

  private mutating func append(_ record: SecretBytes, isLast: Bool) throws(BackupError) {
    let data = BackupFormat.associatedData(header, index: count, isLast: isLast)
    let box: [UInt8]
    do { box = try AEAD.seal(record, key: key, associatedData: data) } catch { throw .exhausted }
    var encoder = Encoder()
    encoder.string(box)
    bytes += encoder.bytes
  }
}
