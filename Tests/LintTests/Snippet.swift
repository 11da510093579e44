import Foundation
import Lint

/// A piece of the corpus: one file or several that belong together, with what must be found in them.
struct Snippet: Sendable, CustomStringConvertible {
  let origin: String
  let title: String
  var files: [(path: String, text: String)] = []
  /// `path:line rule`, one for each finding.
  var expected: Set<String> = []

  var description: String { "\(origin): \(title)" }

  static let mark = " ⟸ "
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().path

  /// What stands in a file of the corpus: `=== PATH | TITLE` begins a snippet, `--- PATH` another
  /// file of it, and ` ⟸ RULE, RULE` at the end of a line is what must be found there.
  static func all(_ kind: String) throws -> [Snippet] {
    let folder = folder + "/Corpus/" + kind
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
      snippets(
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8), "\(kind)/\(name)")
    }
  }

  private static func snippets(_ text: String, _ origin: String) -> [Snippet] {
    var result: [Snippet] = []
    var line = 0
    for row in text.components(separatedBy: "\n") {
      if row.hasPrefix("=== ") {
        let parts = row.dropFirst(4).components(separatedBy: " | ")
        result.append(Snippet(origin: origin, title: parts.count > 1 ? parts[1] : ""))
        result[result.count - 1].files.append((parts[0], ""))
        line = 0
      } else if row.hasPrefix("--- "), !result.isEmpty {
        result[result.count - 1].files.append((String(row.dropFirst(4)), ""))
        line = 0
      } else if !result.isEmpty {
        line += 1
        let parts = row.components(separatedBy: mark)
        let last = result[result.count - 1].files.count - 1
        result[result.count - 1].files[last].text += parts[0] + "\n"
        let path = result[result.count - 1].files[last].path
        for rule in parts.dropFirst().joined().components(separatedBy: ", ") where !rule.isEmpty {
          result[result.count - 1].expected.insert("\(path):\(line) \(rule)")
        }
      }
    }
    return result
  }

  /// What the check finds.
  var found: Set<String> {
    var project = Project()
    for file in files {
      guard let verdict = Verdict(Array(file.text.utf8), path: file.path) else { continue }
      project.add(verdict)
    }
    return Set(project.findings.map { "\($0.path):\($0.line) \($0.rule.name)" })
  }
}
