import Linux
import Transfer
import WhorlClient
import Wire

/// What an import did, in words: as it goes, on a terminal, and at its end.
struct ImportReport {
  let isDryRun: Bool
  let total: Int
  var imported = 0
  var present = 0
  var changed = 0
  var failed = 0
  var deleted = 0
  /// Rows without a secret.
  var empty = 0
  /// Originals that were to be deleted and could not be.
  var kept = 0
  private var seen = 0
  private let isShown: Bool

  init(total: Int, isDryRun: Bool) {
    self.total = total
    self.isDryRun = isDryRun
    isShown = BlockingStream.standardError.isTerminal && !isDryRun
  }

  mutating func advance() {
    seen += 1
    // One cannot read faster.
    guard isShown, seen == total || seen % 16 == 0 else { return }
    BlockingStream.standardError.write("\r\(seen) of \(Self.count(total, "item"))")
  }

  /// A line of its own, which the progress makes room for.
  func say(_ line: String) {
    if isShown { BlockingStream.standardError.write("\r\u{1b}[K") }
    Output.error("whorl: " + line)
  }

  /// Names what was not taken over.
  mutating func fail(_ line: String) {
    failed += 1
    say(line)
  }

  /// Names what an interrupted run left open and this one did not come by.
  mutating func sayUnfinished(_ importer: Importer) {
    guard !isDryRun else { return }
    for identity in importer.unfinished {
      fail(
        "\(quoted(identity.name.bytes)) is left of an interrupted import and not gated; "
          + "import its source again, or delete it")
    }
  }

  /// A number of things, in the singular for one.
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  /// - Returns: the exit status.
  func end() throws(CommandError) -> Int32 {
    if isShown { BlockingStream.standardError.write("\r\u{1b}[K") }
    var parts = ["\(imported) \(isDryRun ? "to be imported" : "imported")"]
    if present > 0 { parts.append("\(present) there already") }
    if deleted > 0 { parts.append("\(Self.count(deleted, "original")) deleted") }
    if kept > 0 { parts.append("\(Self.count(kept, "original")) not deleted") }
    if changed > 0 { parts.append("\(changed) changed since and left alone") }
    if empty > 0 { parts.append("\(Self.count(empty, "row")) without a password") }
    if failed > 0 { parts.append("\(failed) not taken over") }
    try Output.print(parts.joined(separator: ", "))
    return changed + kept + failed == 0 ? 0 : 1
  }
}
