import Foundation
import ProgramRun
import TemporaryFolder
import Testing

@Suite struct HookTests {
  private func git(_ arguments: String..., in folder: TemporaryFolder) throws -> ProgramRun {
    try ProgramRun(
      "/usr/bin/git",
      ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"]
        + arguments, in: folder.path)
  }

  private func repository() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = try git("init", "-q", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    return folder
  }

  @Test func `the hook blocks a commit with a finding, and lets a clean one through`() throws {
    let folder = try repository()
    let installed = try Tool.lint("--install", "git", in: folder.path)
    #expect(installed.status == 0, "\(installed.errors)")
    try folder.write(Array("print(token)\n".utf8), to: "A.swift")
    #expect(try git("add", ".", in: folder).status == 0)
    let blocked = try git("commit", "-qm", "x", in: folder)
    #expect(blocked.status != 0)
    #expect((blocked.output + blocked.errors).contains("A.swift:1:1: error: token"))
    #expect(try git("rev-parse", "--verify", "-q", "HEAD", in: folder).status != 0)

    try folder.write(Array("print(token != nil)\n".utf8), to: "A.swift")
    #expect(try git("add", ".", in: folder).status == 0)
    let done = try git("commit", "-qm", "x", in: folder)
    #expect(done.status == 0, "\(done.errors)")
    #expect(try git("rev-parse", "--verify", "-q", "HEAD", in: folder).status == 0)
  }

  @Test func `the index is judged, not the work tree`() throws {
    let folder = try repository()
    try folder.write(Array("print(token)\n".utf8), to: "A.swift")
    #expect(try git("add", ".", in: folder).status == 0)
    try folder.write(Array("print(1)\n".utf8), to: "A.swift")
    #expect(try Tool.lint("--staged", in: folder.path).status == 1)
    #expect(try git("add", ".", in: folder).status == 0)
    try folder.write(Array("print(token)\n".utf8), to: "A.swift")
    try folder.write(Array("print(token)\n".utf8), to: "Untracked.swift")
    let clean = try Tool.lint("--staged", in: folder.path)
    #expect(clean.status == 0)
    #expect(clean.errors == "1 file, nothing found\n")
  }

  @Test func `odd names, deletions and a subfolder of a repository`() throws {
    let folder = try repository()
    try FileManager.default.createDirectory(
      atPath: folder("sub"), withIntermediateDirectories: false)
    try folder.write(Array("print(1)\n".utf8), to: "Gone.swift")
    #expect(try git("add", ".", in: folder).status == 0)
    #expect(try git("commit", "-qm", "x", in: folder).status == 0)
    try FileManager.default.removeItem(atPath: folder("Gone.swift"))
    try folder.write(Array("print(token)\n".utf8), to: "sub/a \"b\" ü.swift")
    try folder.write(Array("print(1)\n".utf8), to: "empty.swift")
    try folder.write([], to: "empty.swift")
    #expect(try git("add", "-A", ".", in: folder).status == 0)
    let result = try Tool.lint("--staged", in: folder("sub"))
    #expect(result.status == 1)
    #expect(result.output.contains("sub/a \"b\" ü.swift:1:1: error: "))
    #expect(result.errors == "2 files, 1 found\n")
  }

  @Test func `with nothing staged there is nothing to find`() throws {
    let inside = try repository()
    #expect(try Tool.lint("--staged", in: inside.path).status == 0)
    let outside = try TemporaryFolder()
    let result = try Tool.lint("--staged", in: outside.path)
    #expect(result.status == 1)
    #expect(result.errors.contains("not a git repository"))
    #expect(result.errors.split(separator: "\n").count < 4, "\(result.errors)")
  }

  @Test func `somebody else's hook is kept, unless it is forced`() throws {
    let folder = try repository()
    let hook = folder(".git/hooks/pre-commit")
    try FileManager.default.createDirectory(
      atPath: folder(".git/hooks"), withIntermediateDirectories: true)
    try folder.write(Array("#!/bin/sh\nexit 0\n".utf8), to: ".git/hooks/pre-commit")
    let refused = try Tool.lint("--install", "git", in: folder.path)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("--force"))
    #expect(try String(contentsOfFile: hook, encoding: .utf8) == "#!/bin/sh\nexit 0\n")
    #expect(try Tool.lint("--install", "git", "--force", in: folder.path).status == 0)
    #expect(try String(contentsOfFile: hook, encoding: .utf8).contains("--staged"))
    // Its own is replaced as it is.
    #expect(try Tool.lint("--install", "git", in: folder.path).status == 0)
    #expect(FileManager.default.isExecutableFile(atPath: hook))
  }

  @Test func `the build's script fails with a finding and leaves a report`() throws {
    let folder = try TemporaryFolder()
    #expect(try Tool.lint("--install", "ci", in: folder.path).status == 0)
    try folder.write(Array("print(token)\n".utf8), to: "A.swift")
    let script = "PATH=\(Tool.folder):$PATH exec \(folder(".ci/whorl-lint"))"
    let found = try ProgramRun("/bin/sh", ["-c", script])
    #expect(found.status == 1)
    #expect(found.output.contains("A.swift:1:1: error: "))
    #expect(
      try String(contentsOfFile: folder("whorl-lint.sarif"), encoding: .utf8).contains(
        "secret-in-log"))
    try folder.write(Array("print(1)\n".utf8), to: "A.swift")
    #expect(try ProgramRun("/bin/sh", ["-c", script]).status == 0)
  }

  @Test func `the editors' files are written, and those of others kept`() throws {
    let folder = try TemporaryFolder()
    #expect(try Tool.lint("--install", "editor", in: folder.path).status == 0)
    let tasks = try String(contentsOfFile: folder(".vscode/tasks.json"), encoding: .utf8)
    #expect(tasks.contains("problemMatcher"))
    let json = tasks.split(separator: "\n").filter { !$0.contains("//") }.joined(separator: "\n")
    #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    #expect(
      try String(contentsOfFile: folder(".whorl-lint.vim"), encoding: .utf8).contains(
        "--stdin --path"))
    try folder.write(Array("{}".utf8), to: ".vscode/tasks.json")
    #expect(try Tool.lint("--install", "editor", in: folder.path).status == 1)
  }
}
