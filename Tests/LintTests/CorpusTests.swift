import Lint
import Testing

@Suite struct CorpusTests {
  @Test(arguments: try Snippet.all("wrong"))
  func `what is wrong is found, at its line, and nothing else`(snippet: Snippet) {
    #expect(snippet.found == snippet.expected)
    #expect(!snippet.expected.isEmpty)
  }

  @Test(arguments: try Snippet.all("right"))
  func `what is right is left alone`(snippet: Snippet) {
    #expect(snippet.found.isEmpty)
    #expect(snippet.expected.isEmpty)
  }

  @Test func `the corpus has 150 of either kind, and every rule four times`() throws {
    let wrong = try Snippet.all("wrong")
    #expect(wrong.count >= 150)
    #expect(try Snippet.all("right").count >= 150)
    let rules = wrong.flatMap(\.expected).map {
      $0.split(separator: " ").last.map(String.init) ?? ""
    }
    for rule in Rule.allCases {
      #expect(rules.count { $0 == rule.name } >= 4, "\(rule.name)")
    }
  }

  @Test(arguments: try Snippet.all("wrong"))
  func `a reason on the lines excuses what is wrong`(snippet: Snippet) {
    guard !snippet.origin.hasSuffix("excuse.txt") else { return }
    var excused = snippet
    for (index, file) in snippet.files.enumerated() where file.path.hasSuffix(".swift") {
      var lines = file.text.components(separatedBy: "\n")
      for entry in snippet.expected where entry.hasPrefix(file.path + ":") {
        let parts = entry.dropFirst(file.path.count + 1).components(separatedBy: " ")
        guard let line = Int(parts[0]) else { continue }
        let excuse = "// whorl:allow \(parts[1]) because the test says so"
        // No comment stands at the end of a line where a text begins.
        lines[line - 1] =
          lines[line - 1].hasSuffix("\"\"\"")
          ? excuse + "\n" + lines[line - 1] : lines[line - 1] + "  " + excuse
      }
      excused.files[index].text = lines.joined(separator: "\n")
    }
    let left = excused.found.filter { entry in entry.split(separator: ":")[0].hasSuffix(".swift") }
    #expect(left.isEmpty)
  }
}
