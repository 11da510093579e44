import Crypto
import Linux
import SecretMemory
import Vault

/// The host key and the shred slot in two root-only files of fixed size.
///
/// The slot file has two ``ShredRecord``s. The right one with the higher sequence is current. A
/// rotation writes the other record, syncs, overwrites the old one with zeros, and syncs: in
/// place, so it needs no space, and interrupted anywhere it leaves one right record.
public final class FileKeySource: KeySource {
  private static let keyCount = 32

  public let hostKey: SecretBytes
  public var shredKey: SecretBytes { current.key }
  private let slotFile: File
  private var current: ShredRecord
  /// Which of the two records is current.
  private var index: Int

  /// Reads the keys below `folder`, making them at the first start.
  ///
  /// - Throws: `.corrupted` when a file is there but holds no right key: what it sealed must not
  ///   be given up silently by making another.
  public init(folder: String) throws(StorageError) {
    let hostPath = folder + "/host.key"
    let slotPath = folder + "/shred.slot"
    if try Self.isMissing(hostPath) {
      // A slot without its host key is what is left of an installation; nothing opens under it.
      guard try Self.isMissing(slotPath) else { throw .corrupted }
      try Self.create(hostPath, in: folder, try Self.randomKey())
    }
    hostKey = try Self.read(hostPath, count: Self.keyCount)
    if try Self.isMissing(slotPath) {
      let first = ShredRecord(sequence: 1, key: try Self.randomKey())
      try Self.create(
        slotPath, in: folder, try first.encoded(hostKey), size: 2 * ShredRecord.count)
    }
    slotFile = try StorageError.mapping { () throws(SystemError) in
      try File(reading: slotPath, writing: true)
    }
    var best: (record: ShredRecord, index: Int)?
    for index in 0...1 {
      guard let record = try Self.record(index, of: slotFile, hostKey) else { continue }
      if best.map({ $0.record.sequence < record.sequence }) ?? true { best = (record, index) }
    }
    guard let best else { throw .corrupted }
    (current, index) = best
  }

  public func rotateShredKey(to key: SecretBytes) throws(StorageError) {
    let next = ShredRecord(sequence: current.sequence + 1, key: key)
    let other = 1 - index
    let encoded = try next.encoded(hostKey)
    let zeros = [UInt8](repeating: 0, count: ShredRecord.count)
    do { try Self.write(encoded, to: slotFile, at: other * ShredRecord.count) } catch {
      // Half a record is no record, and a whole one that could not be synced must not stand after
      // a crash: the old key does.
      try? slotFile.write(zeros.span, at: other * ShredRecord.count)
      try? slotFile.sync()
      throw error
    }
    // The new key stands from here on. Should wiping the old record fail, the next rotation
    // overwrites it.
    try? slotFile.write(zeros.span, at: index * ShredRecord.count)
    try? slotFile.sync()
    (current, index) = (next, other)
  }

  private static func record(
    _ index: Int, of file: File, _ hostKey: SecretBytes
  ) throws(StorageError) -> ShredRecord? {
    let bytes = try secret(ShredRecord.count)
    let count = try StorageError.mapping { () throws(SystemError) in
      try bytes.withMutableBytes { (span) throws(SystemError) in
        try file.read(into: &span, at: index * ShredRecord.count)
      }
    }
    return count == ShredRecord.count ? try ShredRecord(bytes, hostKey) : nil
  }

  private static func isMissing(_ path: String) throws(StorageError) -> Bool {
    do {
      _ = try File(reading: path)
      return false
    } catch  where error.isMissing { return true } catch { throw StorageError(error) }
  }

  /// Writes the whole file under another name first, so that there is never half a key.
  private static func create(
    _ path: String, in folder: String, _ content: SecretBytes, size: Int? = nil
  ) throws(StorageError) {
    let partial = path + ".new"
    try? Folder.remove(file: partial)
    let file = try StorageError.mapping { () throws(SystemError) in
      let file = try File(creating: partial, mode: 0o600)
      try file.allocate(size ?? content.count)
      return file
    }
    try write(content, to: file, at: 0)
    try StorageError.mapping { () throws(SystemError) in
      try Folder.rename(partial, to: path)
      try Folder.sync(folder)
    }
  }

  private static func write(
    _ content: SecretBytes, to file: File, at offset: Int
  ) throws(StorageError) {
    try StorageError.mapping { () throws(SystemError) in
      try content.withBytes { (span) throws(SystemError) in try file.write(span, at: offset) }
      try file.sync()
    }
  }

  private static func read(_ path: String, count: Int) throws(StorageError) -> SecretBytes {
    let key = try secret(count)
    let isWhole = try StorageError.mapping { () throws(SystemError) in
      let file = try File(reading: path)
      let size = try file.size
      let found = try key.withMutableBytes { (span) throws(SystemError) in
        try file.read(into: &span, at: 0)
      }
      return size == count && found == count
    }
    guard isWhole else { throw .corrupted }
    return key
  }

  private static func secret(_ count: Int) throws(StorageError) -> SecretBytes {
    do { return try SecretBytes(count: count) } catch { throw .failed }
  }

  private static func randomKey() throws(StorageError) -> SecretBytes {
    do { return try Random.secret(keyCount) } catch { throw .failed }
  }
}
