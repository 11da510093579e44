import AccessControl
import Crypto
import SecretMemory
import Wire

@testable import Transfer

extension FuzzTarget {
  /// The file as it is; the file with a checksum; or records that are sealed by the key.
  static let backup = FuzzTarget(name: "backup") { bytes in
    try Crypto.initialize()
    var choices = Choices(bytes)
    switch choices.number(below: 4) {
    case 0: try requireWhole(choices.rest())
    case 1:
      let header = BackupFormat.magic + [choices.byte()] + salt
      let body = header + choices.rest()
      try requireWhole(body + Hash.blake2b(body))
    case 2:
      let encoded = choices.rest()
      guard let item = try? BackupItem(encoded: encoded, version: BackupFormat.version)
      else { return }
      try require(item.encoded == encoded, "an item has one encoding")
    default: try requireSealed(&choices)
    }
  }

  private static let salt = [UInt8](repeating: 7, count: PasswordHash.saltCount)

  private static func key() throws -> SecretBytes {
    try SecretBytes.of([UInt8](repeating: 9, count: AEAD.keyCount))
  }

  /// Nobody sealed these bytes: whole or not, nothing comes out.
  private static func requireWhole(_ file: [UInt8]) throws {
    let isWhole = (try? BackupReader.check(file)) != nil
    do throws(BackupError) {
      _ = try BackupReader(file, key: try attempt(key))
    } catch {
      return try require(
        isWhole == (error == .passphrase), "only what is whole is tried with the key: \(error)")
    }
    throw Violation("what nobody sealed opens")
  }

  private static func attempt<Result>(_ body: () throws -> Result) throws(BackupError) -> Result {
    do { return try body() } catch { throw .exhausted }
  }

  /// Records of any content, whose tags are right, as a later program's mistake makes them.
  private static func requireSealed(_ choices: inout Choices) throws {
    let header = BackupFormat.magic + [BackupFormat.version] + salt
    var records: [[UInt8]] = []
    let count = choices.number(below: 4)
    for _ in 0..<count { records.append(try record(&choices)) }
    var last = Encoder()
    last.uint64(choices.bool() ? UInt64(choices.byte()) : UInt64(count))
    last.uint64(choices.uint64())
    records.append(last.bytes + choices.field(limit: 2))
    var file = Encoder()
    for (index, record) in records.enumerated() {
      let data = BackupFormat.associatedData(header, index: index, isLast: index == count)
      file.string(
        try AEAD.seal(try SecretBytes.of(record), key: try key(), associatedData: data))
    }
    let body = header + file.bytes
    try requireRead(body + Hash.blake2b(body), records)
    let bit = choices.byte()
    let place = Int(choices.byte()) << 8 | Int(choices.byte())
    guard bit != 0 else { return }
    var altered = body
    altered[header.count + place % file.bytes.count] ^= bit
    try require(
      (try? BackupReader(altered + Hash.blake2b(altered), key: try key())) == nil,
      "what was altered does not open")
  }

  private static func record(_ choices: inout Choices) throws -> [UInt8] {
    guard choices.bool() else { return choices.field() }
    var attributes = Attributes()
    for _ in 0..<choices.number(below: 3) { attributes[choices.field()] = choices.field() }
    let item = BackupItem(
      item: NewItem(
        identity: ItemIdentity(
          group: choices.field(), service: choices.field(), account: choices.field()),
        attributes: attributes,
        accessControl: try AccessControl(
          text: "userPresence", accessibility: .whenUnlocked, reuseLimit: 0),
        store: StoreKind(rawValue: choices.byte() & 3)),
      created: choices.uint64(), modified: choices.uint64())
    var encoder = Encoder()
    encoder.string(item.encoded)
    return encoder.bytes + choices.field()
  }

  private static func requireRead(_ file: [UInt8], _ records: [[UInt8]]) throws {
    let reader: BackupReader
    do throws(BackupError) { reader = try BackupReader(file, key: try attempt(key)) } catch {
      return try require(error == .damaged, "what the key sealed is whole or damaged: \(error)")
    }
    try require(reader.items.count == records.count - 1, "every record is an item")
    var writer = BackupWriter(salt: salt, key: try key())
    for (index, item) in reader.items.enumerated() {
      let secret = try reader.secret(at: index)
      var encoder = Encoder()
      encoder.string(item.encoded)
      try require(
        encoder.bytes + secret.copied == records[index], "a record is an item and its secret")
      try writer.add(item, secret: secret)
    }
    let again = try BackupReader(try writer.finish(date: reader.date), key: try key())
    try require(
      again.items == reader.items && again.date == reader.date, "a written backup reads as itself")
  }
}
