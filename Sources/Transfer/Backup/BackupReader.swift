import Crypto
import SecretMemory
import Wire

/// A backup that was read. Everything in it is checked before anything of it is handed out.
public struct BackupReader {
  public let items: [BackupItem]
  /// When it was made, in seconds since 1970.
  public let date: UInt64

  private let header: [UInt8]
  private let key: SecretBytes
  private let boxes: [[UInt8]]

  /// Whether the bytes are a backup and undamaged; no passphrase is needed for that.
  public static func check(_ bytes: [UInt8]) throws(BackupError) {
    _ = try split(bytes)
  }

  /// Takes the time of an Argon2id hash.
  public init(_ bytes: [UInt8], passphrase: SecretBytes) throws(BackupError) {
    let boxes = try Self.split(bytes)
    guard passphrase.count > 0 else { throw .empty }
    let header = Array(bytes[..<BackupFormat.headerCount])
    let salt = Array(header[(BackupFormat.magic.count + 1)...])
    let key: SecretBytes
    do { key = try PasswordHash.derive(password: passphrase, salt: salt) } catch {
      throw .exhausted
    }
    try self.init(header, boxes, key: key)
  }

  /// By the key that the passphrase and the salt make.
  init(_ bytes: [UInt8], key: SecretBytes) throws(BackupError) {
    let boxes = try Self.split(bytes)
    try self.init(Array(bytes[..<BackupFormat.headerCount]), boxes, key: key)
  }

  private init(_ header: [UInt8], _ boxes: [[UInt8]], key: SecretBytes) throws(BackupError) {
    self.header = header
    self.boxes = boxes
    self.key = key
    var items: [BackupItem] = []
    for index in boxes.indices.dropLast() {
      let record = try Self.open(boxes, index, header, key)
      items.append(try Self.description(record, header).item)
    }
    let last = try Self.open(boxes, boxes.count - 1, header, key)
    var decoder = Decoder(last.withBytes { Self.copy($0, 0..<$0.count) })
    do throws(DecodingError) {
      guard try decoder.uint64() == UInt64(items.count) else { throw .invalid }
      date = try decoder.uint64()
      try decoder.finish()
    } catch { throw .damaged }
    self.items = items
  }

  /// The secret of ``items`` at that index.
  public func secret(at index: Int) throws(BackupError) -> SecretBytes {
    let record = try Self.open(boxes, index, header, key)
    let start = try Self.description(record, header).end
    guard let secret = try? SecretBytes(count: record.count - start) else { throw .exhausted }
    record.withBytes { record in
      secret.withMutableBytes { secret in
        for index in secret.indices { secret[index] = record[start + index] }
      }
    }
    return secret
  }

  private static func split(_ bytes: [UInt8]) throws(BackupError) -> [[UInt8]] {
    let magic = BackupFormat.magic
    guard bytes.starts(with: magic) else { throw .foreign }
    let end = bytes.count - Hash.count
    guard end >= BackupFormat.headerCount,
      Hash.blake2b(Array(bytes[..<end])) == Array(bytes[end...])
    else { throw .damaged }
    // A later version keeps the checksum where it is, so that damage is not taken for one.
    let version = bytes[magic.count]
    guard BackupFormat.versions.contains(version) else { throw .version(version) }
    var decoder = Decoder(Array(bytes[BackupFormat.headerCount..<end]))
    var boxes: [[UInt8]] = []
    do {
      while decoder.remaining > 0 {
        boxes.append(try decoder.string(limit: BackupFormat.recordLimit))
      }
    } catch { throw .damaged }
    guard !boxes.isEmpty else { throw .damaged }
    return boxes
  }

  private static func open(
    _ boxes: [[UInt8]], _ index: Int, _ header: [UInt8], _ key: SecretBytes
  ) throws(BackupError) -> SecretBytes {
    let isLast = index == boxes.count - 1
    let data = BackupFormat.associatedData(header, index: index, isLast: isLast)
    do { return try AEAD.open(boxes[index], key: key, associatedData: data) } catch {
      guard error == .forged else { throw .exhausted }
      // The first record tells whether the key is right.
      throw index == 0 ? .passphrase : .damaged
    }
  }

  /// The item, and where its secret begins.
  private static func description(
    _ record: SecretBytes, _ header: [UInt8]
  ) throws(BackupError) -> (item: BackupItem, end: Int) {
    guard record.count >= 4 else { throw .damaged }
    let count = record.withBytes { record in
      (0..<4).reduce(0) { $0 << 8 | Int(record[$1]) }
    }
    guard count <= record.count - 4 else { throw .damaged }
    let bytes = record.withBytes { copy($0, 4..<4 + count) }
    let version = header[BackupFormat.magic.count]
    do { return (try BackupItem(encoded: bytes, version: version), 4 + count) } catch {
      throw .damaged
    }
  }

  private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { bytes[$0] }
  }
}
