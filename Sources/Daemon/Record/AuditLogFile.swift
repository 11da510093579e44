import Wire

/// What one file of the audit log holds: a row of `uint32` length and ``AuditRecord``.
struct AuditLogFile {
  /// Bytes that are read at once. A file is longer only when it could not be rotated for long.
  static let limit = 8 * AuditLogWriter.rotateAt

  /// Those that this version understands.
  private(set) var records: [AuditRecord] = []
  /// The bytes of whole records; behind them is what an interruption left of one.
  private(set) var wholeCount = 0

  init(_ bytes: [UInt8]) {
    var decoder = Decoder(bytes)
    // An empty record is what a file system leaves of one that was never written.
    while let body = try? decoder.string(limit: Limits.message), !body.isEmpty {
      wholeCount = bytes.count - decoder.remaining
      var inner = Decoder(body)
      if let record = try? AuditRecord(from: &inner) { records.append(record) }
    }
  }

  /// Bytes that the record takes at most, whatever its factors and its failure are.
  static func room(for record: AuditRecord) -> Int { room(record.program, record.item) }

  /// The same of a record that is not made yet.
  static func room(_ program: [UInt8], _ item: [UInt8]) -> Int { program.count + item.count + 64 }

  /// A record as it stands in the file.
  static func entry(_ record: AuditRecord) -> [UInt8] {
    var encoder = Encoder()
    encoder.nested { encoder in record.encode(into: &encoder) }
    return encoder.bytes
  }
}
