import Wire

@testable import Vault

extension FuzzTarget {
  static let generationNote = FuzzTarget(name: "generation-note") { bytes in
    guard let note = try? GenerationNote(bytes) else { return }
    try require(note.encoded == bytes, "a note has one encoding")
    let entries = note.entries
    let looks: [EnrolledPrints] = [
      .unavailable, .irregular(path: []), .entries([]), .entries(Array(entries.dropFirst())),
      .entries(entries.map { PrintEntry(path: $0.path, modified: 0, contentHash: []) }),
    ]
    for look in looks {
      let change = note.change(to: look, date: 1)
      try require(
        change.path.count <= 4096, "a change names a path that the note, or the look, has")
    }
    if !entries.isEmpty, let last = entries.last {
      let added = PrintEntry(path: last.path + [0x2f], modified: .max, contentHash: [])
      _ = note.change(to: .entries(entries + [added]), date: 1)
    }
  }
}
