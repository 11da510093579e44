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
    if found.isEmpty {
      let only = entries.count == 1 ? entries[0].path : []
      return EnrollmentChange(.allDeleted, path: only, time: date)
    }
    if let added = found.first(where: { entry in !entries.contains { $0.path == entry.path } }) {
      let print = Self.print(added.path)
      let kind: EnrollmentChange.Kind =
        entries.contains { $0.path == print } ? .reenrolled : print == nil ? .irregular : .enrolled
      return EnrollmentChange(
        kind, path: print ?? added.path, time: added.modified / 1_000_000_000)
    }
    if let replaced = found.first(where: { !entries.contains($0) }) {
      return EnrollmentChange(
        .reenrolled, path: replaced.path, time: replaced.modified / 1_000_000_000)
    }
    let gone = entries.first { entry in !found.contains { $0.path == entry.path } }
    return EnrollmentChange(gone == nil ? .unknown : .deleted, path: gone?.path ?? [], time: date)
  }

  /// The place of the print that a file is or becomes, nil if it is none: driver, device, and a
  /// finger from 1 to a. While fprintd writes it, a dot and six characters follow.
  private static func print(_ path: [UInt8]) -> [UInt8]? {
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard parts.count == 3, let finger = parts[2].first,
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(finger) || finger == UInt8(ascii: "a")
    else { return nil }
    let rest = parts[2].dropFirst()
    guard rest.isEmpty || (rest.count == 7 && rest.first == UInt8(ascii: ".")) else { return nil }
    return Array(path.dropLast(rest.count))
  }
}
