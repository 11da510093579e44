import Foundation
import ProgramRun
import TemporaryFolder
import Testing

@Suite struct CommandTests {
  private let wrong = "print(token)\n"
  private let right = "print(token != nil)\n"

  @Test func `what is found exits 1 and is named, and what is clean exits 0`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(wrong.utf8), to: "A.swift")
    let found = try Tool.lint(in: folder.path)
    #expect(found.status == 1)
    #expect(
      found.output.hasPrefix(
        "A.swift:1:1: error: token: a secret is printed or logged [secret-in-log]\n    fix: "))
    #expect(found.errors == "1 file, 1 found\n")
    try folder.write(Array(right.utf8), to: "A.swift")
    let clean = try Tool.lint(".", in: folder.path)
    #expect(clean.status == 0)
    #expect(clean.output.isEmpty)
    #expect(clean.errors == "1 file, nothing found\n")
  }

  @Test(arguments: [
    ["--nonsense"], ["--stdin"], ["--path", "x"], ["--stdin", "--staged", "--path", "x"],
    ["--rules", "x"], ["--force"], ["--install", "svn"], ["--path"], ["--json=1"],
  ])
  func `a wrong use exits 206 with the usage`(arguments: [String]) throws {
    let result = try ProgramRun(Tool.folder + "/whorl", ["lint"] + arguments)
    #expect(result.status == 206)
    let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 3, "\(result.errors)")
    #expect(lines[0].hasPrefix("whorl: "))
    #expect(lines[1].hasPrefix("usage: whorl lint ["))
    #expect(lines[2].isEmpty)
    #expect(result.output.isEmpty)
  }

  @Test func `a text is judged before it is written`() throws {
    let folder = try TemporaryFolder()
    let found = try Tool.lint("--stdin", "--path", "New.swift", in: folder.path, input: wrong)
    #expect(found.status == 1)
    #expect(found.output.hasPrefix("New.swift:1:1: error: "))
    #expect(try Tool.lint("--stdin", "--path=New.swift", in: folder.path, input: right).status == 0)
    // What the file is called says how it is read.
    #expect(try Tool.lint("--stdin", "--path", ".env", input: "TOKEN=abcdef1\n").status == 1)
    #expect(try Tool.lint("--stdin", "--path", "a.md", input: wrong).status == 0)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains("New.swift"))
  }

  @Test func `a text is judged with the project it belongs to`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("let package = Package(name: \"x\")\n".utf8), to: "Package.swift")
    let wrapper = """
      @propertyWrapper struct Kept {
        var key: String
        var wrappedValue: String? {
          get { nil }
          set { UserDefaults.standard.set(newValue, forKey: key) }
        }
      }

      """
    try folder.write(Array(wrapper.utf8), to: "Kept.swift")
    let input = "struct S { @Kept(key: \"token\") var token: String? }\n"
    let found = try Tool.lint("--stdin", "--path", "S.swift", in: folder.path, input: input)
    #expect(found.status == 1)
    #expect(found.output.contains("S.swift:1:12: error: token: "))
    try FileManager.default.removeItem(atPath: folder("Kept.swift"))
    #expect(
      try Tool.lint("--stdin", "--path", "S.swift", in: folder.path, input: input).status == 0)
  }

  @Test func `builds, links, large files and what is no text are left out and counted`() throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    try elsewhere.write(Array(wrong.utf8), to: "A.swift")
    for name in [".build", ".git", "node_modules", "Sources"] {
      try FileManager.default.createDirectory(
        atPath: folder(name), withIntermediateDirectories: false)
      try folder.write(Array((name == "Sources" ? right : wrong).utf8), to: name + "/A.swift")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder("Linked"), withDestinationPath: elsewhere.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder("L.swift"), withDestinationPath: elsewhere("A.swift"))
    try folder.write(Array(wrong.utf8) + [0], to: "Binary.swift")
    let large = wrong + String(repeating: "// \n", count: 1 << 20)
    try folder.write(Array((large + "x").utf8), to: "Large.swift")
    try folder.write(Array(wrong.utf8), to: "README.md")
    let result = try Tool.lint(in: folder.path)
    #expect(result.output.isEmpty)
    #expect(result.errors == "1 file, nothing found; 2 skipped, too large or no text\n")
    #expect(result.status == 0)
    let link = try Tool.lint("L.swift", in: folder.path)
    #expect(link.status == 1)
    #expect(link.errors.contains("links are not followed"))
  }

  @Test func `what cannot be read is said and fails`() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.lint("nowhere", in: folder.path)
    #expect(result.status == 1)
    #expect(result.errors.contains("nowhere: there is no such file"))
  }

  @Test func `JSON and SARIF stand alone on the standard output`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(wrong.utf8), to: "A.swift")
    for format in ["--json", "--sarif"] {
      let result = try Tool.lint(format, in: folder.path)
      #expect(result.status == 1)
      #expect(result.errors.isEmpty)
      let value = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      #expect((value as? [String: Any])?.isEmpty == false)
    }
  }

  @Test func `the rules are listed`() throws {
    let result = try Tool.lint("--rules")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("secret-in-defaults\n"))
  }

  @Test func `many files on a terminal show how far it is`() throws {
    let folder = try TemporaryFolder()
    for index in 0..<600 { try folder.write(Array(right.utf8), to: "F\(index).swift") }
    // script(1) gives the program a terminal.
    let result = try ProgramRun(
      "/usr/bin/script", ["-qec", "\(Tool.folder)/whorl lint .", "/dev/null"], in: folder.path)
    #expect(result.status == 0)
    #expect(result.output.contains("of 600 files, 100 %"))
    #expect(result.output.hasSuffix("\u{1b}[K600 files, nothing found\r\n"))
    #expect(try !Tool.lint(in: folder.path).errors.contains("%"))
  }
}
