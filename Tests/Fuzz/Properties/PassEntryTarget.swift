import SecretMemory
import WhorlClient

@testable import Transfer

extension FuzzTarget {
  /// The names of two files, then what one of them holds.
  static let passEntry = FuzzTarget(name: "pass-entry") { bytes in
    var choices = Choices(bytes)
    let (name, other) = (fileName(&choices), fileName(&choices))
    let text = choices.rest()
    let entry = try PassEntry(name: name, text: try SecretBytes.of(text))
    let secrets = entry.items.map { $0.secret.copied }
    try require(
      secrets.count == 2
        ? secrets[0] + [UInt8(ascii: "\n")] + secrets[1] == text && !secrets[1].isEmpty
        : secrets.count == 1 && (secrets[0] == text || secrets[0] + [UInt8(ascii: "\n")] == text),
      "the items are the whole file")
    try require(!secrets[0].contains(UInt8(ascii: "\n")), "a password is one line")
    try require(
      PassEntry.password(of: name).source == entry.items[0].item.source,
      "a dry run sees the password's item")
    try requireImportable(entry.items.map(\.item))
    if name != other {
      let sources = try PassEntry(name: other, text: try SecretBytes.of(text)).items
        .map(\.item.source)
      try require(
        !entry.items.contains { sources.contains($0.item.source) },
        "items of two files have two sources")
    }
  }

  /// As a folder may have it.
  private static func fileName(_ choices: inout Choices) -> [UInt8] {
    let name = choices.field().filter { $0 != 0 }
    return name.isEmpty ? Array("x".utf8) : name
  }
}
