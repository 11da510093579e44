import Foundation
import Lint
import ProgramRun
import TemporaryFolder
import Testing

@Suite struct ReportTests {
  private func findings() throws -> [Finding] {
    try Snippet.all("wrong").flatMap { snippet in
      var project = Project()
      for file in snippet.files {
        if let verdict = Verdict(Array(file.text.utf8), path: file.path) { project.add(verdict) }
      }
      return project.findings
    }
  }

  private func odd() -> [Finding] {
    var project = Project()
    let source = "print(\"\\\"ü\\\"\", token)  // é\n\tprint(\"é\", password)"
    for path in ["a b/ü%.swift", "\u{1b}[31m\n.swift", "/etc/\"x\".swift"] {
      if let verdict = Verdict(Array(source.utf8), path: path) { project.add(verdict) }
    }
    return project.findings
  }

  /// Python's jsonschema against the schema of SARIF 2.1.0.
  private func problems(_ sarif: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(Array(sarif.utf8), to: "report.sarif")
    let script = """
      import json, sys
      from jsonschema import Draft7Validator, Draft4Validator, validators
      schema = json.load(open(sys.argv[1]))
      validator = validators.validator_for(schema)
      validator.check_schema(schema)
      for error in validator(schema).iter_errors(json.load(open(sys.argv[2]))):
          print(list(error.absolute_path), error.message)
      """
    let result = try ProgramRun(
      "/usr/bin/python3",
      ["-c", script, Snippet.folder + "/Schema/sarif-2.1.0.json", folder("report.sarif")])
    try #require(result.status == 0, "python3-jsonschema: \(result.errors)")
    return result.output
  }

  @Test func `SARIF is what its schema says`() throws {
    for findings in [[], try findings(), odd()] {
      #expect(try problems(SARIFReport.text(findings, version: "0.1.0")).isEmpty)
    }
  }

  @Test func `the schema refuses what is no SARIF`() throws {
    let report = SARIFReport.text(odd(), version: "0.1.0")
    #expect(try !problems(report.replacing("\"ruleId\"", with: "\"rule\"")).isEmpty)
    #expect(try !problems(report.replacing("\"startLine\":1", with: "\"startLine\":0")).isEmpty)
    #expect(try !problems(report.replacing("\"2.1.0\"", with: "\"2.0.0\"")).isEmpty)
  }

  @Test func `SARIF names each finding's rule, file, line and column`() throws {
    let sarif = SARIFReport.text(odd(), version: "1")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any])
    let run = try #require((report["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 6)
    let places = results.compactMap { result in
      ((result["locations"] as? [[String: Any]])?.first?["physicalLocation"]) as? [String: Any]
    }
    let uris = places.compactMap { ($0["artifactLocation"] as? [String: Any])?["uri"] as? String }
    #expect(
      Set(uris) == ["a%20b/%C3%BC%25.swift", "%1B%5B31m%0A.swift", "file:///etc/%22x%22.swift"])
    let columns = places.compactMap { ($0["region"] as? [String: Any])?["startColumn"] as? Int }
    #expect(Set(columns) == [1, 2])
    let rules = try #require(
      ((run["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
  }

  @Test func `JSON holds the findings and the counts`() throws {
    let text = JSONReport.text(odd(), files: 3, skipped: 1)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(report["files"] as? Int == 3)
    #expect(report["skipped"] as? Int == 1)
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.count == 6)
    for finding in findings {
      #expect(finding["rule"] as? String == "secret-in-log")
      #expect((finding["fix"] as? String)?.isEmpty == false)
    }
  }

  @Test func `a report sends no control character to a terminal`() {
    let text = TextReport.text(odd())
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(text.contains("?[31m?.swift:1:1: error: "))
  }

  @Test func `a report names what was found, and never a value`() throws {
    let source = "let x = env[\"API_KEY\"] ?? \"sk_live_51Habc\"\n"
    let verdict = try #require(Verdict(Array(source.utf8), path: "a.swift"))
    let text = TextReport.text(verdict.findings)
    #expect(text.contains("API_KEY"))
    #expect(!text.contains("sk_live"))
  }

  @Test func `every rule says what is wrong and what to do`() {
    for rule in Rule.allCases {
      #expect(TextReport.rules.contains(rule.name + "\n"))
      #expect(!rule.problem.isEmpty && !rule.fix.isEmpty)
    }
  }
}
