import AccessControl
import Wire

/// What is written down about a generation so that its end can be explained to a person. It holds
/// no key and decides nothing.
struct GenerationNote {
  /// The entries at its beginning.
  var entries: [PrintEntry]
  /// What ended it; nil while it lives.
  var change: EnrollmentChange?

  init(entries: [PrintEntry], change: EnrollmentChange? = nil) {
    self.entries = entries
    self.change = change
  }

  var encoded: [UInt8] {
    var encoder = Encoder()
    encoder.list(entries) { encoder, entry in
      encoder.string(entry.path)
      encoder.uint64(entry.modified)
      encoder.string(entry.contentHash)
    }
    encoder.optional(change) { encoder, change in change.encode(into: &encoder) }
    return encoder.bytes
  }

  init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    entries = try decoder.list(limit: 1024) { decoder throws(DecodingError) in
      PrintEntry(
        path: try decoder.string(limit: 4096), modified: try decoder.uint64(),
        contentHash: try decoder.string(limit: 32))
    }
    change = try decoder.optional { decoder throws(DecodingError) in
      try EnrollmentChange(from: &decoder)
    }
    try decoder.finish()
  }

  /// What tells `now` from the entries at the beginning; the first difference that a person would
  /// want to hear of.
  func change(to now: EnrolledPrints, date: UInt64) -> EnrollmentChange {
    let found: [PrintEntry]
    switch now {
    case .unavailable: return EnrollmentChange(.unavailable, time: date)
    case .irregular(let path): return EnrollmentChange(.irregular, path: path, time: date)
    case .entries(let entries): found = entries
    }
    if found.isEmpty { return EnrollmentChange(.allDeleted, time: date) }
    if let added = found.first(where: { entry in !entries.contains { $0.path == entry.path } }) {
      let path = Self.finalPath(added.path)
      let kind: EnrollmentChange.Kind =
        entries.contains { $0.path == path } ? .reenrolled : .enrolled
      return EnrollmentChange(kind, path: path, time: added.modified / 1_000_000_000)
    }
    if let replaced = found.first(where: { !entries.contains($0) }) {
      return EnrollmentChange(
        .reenrolled, path: replaced.path, time: replaced.modified / 1_000_000_000)
    }
    let gone = entries.first { entry in !found.contains { $0.path == entry.path } }
    return EnrollmentChange(gone == nil ? .unknown : .deleted, path: gone?.path ?? [], time: date)
  }

  /// fprintd writes a print under a name with a dot and six random characters more, then renames
  /// it. The generation ends at the first name; a person wants to hear the last one.
  private static func finalPath(_ path: [UInt8]) -> [UInt8] {
    let suffix = path.suffix(7)
    guard path.count > 7, suffix.first == UInt8(ascii: "."),
      suffix.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { return path }
    return Array(path.dropLast(7))
  }
}
