import Testing

/// Each rule finds what breaks it, and nothing in what does not: a rule that cannot fail is none.
struct RuleTests {
  private func source(_ path: String, _ text: String) -> SwiftSource {
    SwiftSource(path: path, text: text)
  }

  @Test(arguments: [
    ("Sources/Vault/A.swift", "let a = unsafe b"),
    ("Sources/Vault/A.swift", "// SAFETY: no reason helps here.\nlet a = unsafe b"),
    ("Sources/Daemon/A.swift", "var a: UnsafeRawPointer"),
    ("Sources/Daemon/A.swift", "bytes.withUnsafeBytes { $0.count }"),
    ("Sources/whorl/A.swift", "nonisolated(unsafe) var a = 1"),
    ("Sources/whorl/A.swift", "let a = \"\\(unsafe b)\""),
    ("Sources/Linux/A.swift", "func a() {\n  unsafe b()\n}"),
    ("Sources/Linux/A.swift", "func a() {\n  // It is safe.\n  unsafe b()\n}"),
    (
      "Sources/Linux/A.swift",
      "struct A {\n  func a() {\n    // SAFETY: x.\n    unsafe b()\n  }\n\n  func c() {\n    unsafe d()\n  }\n}"
    ),
    (
      "Sources/Linux/A.swift",
      "struct A {\n  // SAFETY: x.\n  var b = 1\n\n  init() {\n    unsafe c()\n  }\n}"
    ),
    ("Sources/Linux/A.swift", "struct A {\n  // SAFETY: x.\n  var a = 1\n  var b = unsafe c\n}"),
  ])
  func `unsafe in the wrong place or without a reason is found`(
    _ path: String, _ text: String
  ) {
    #expect(UnsafeRule.problems(source(path, text)).count == 1)
  }

  @Test(arguments: [
    ("Sources/Vault/A.swift", "// unsafe\nlet a = \"unsafe\" /* unsafe */"),
    ("Sources/Linux/A.swift", "func a(\n  b: Int\n) -> Int {\n  // SAFETY: x.\n  unsafe b()\n}"),
    ("Sources/Linux/A.swift", "func a() {\n  // SAFETY: x.\n  if b {\n    unsafe c()\n  }\n}"),
    ("Sources/Linux/A.swift", "struct A {\n  // SAFETY: x.\n  // More.\n  var b = unsafe c\n}"),
    ("Sources/Linux/A.swift", "@unsafe\nfunc a() {}"),
  ])
  func `unsafe with a reason passes`(_ path: String, _ text: String) {
    #expect(UnsafeRule.problems(source(path, text)).isEmpty)
  }

  @Test func `a long file is found`() {
    #expect(LengthRule.problems("a", String(repeating: "x\n", count: 300)).isEmpty)
    #expect(LengthRule.problems("a", String(repeating: "x\n", count: 301)).count == 1)
  }

  @Test(arguments: [
    ("Sources/Linux/Epoll.swift", "struct Poll {}", false),
    ("Sources/Linux/Epoll.swift", "// struct Epoll {}\nlet a = \"struct Epoll\"", false),
    ("Sources/Linux/Epoll.swift", "public final class Epoll {}", true),
    ("Sources/Linux/Epoll.swift", "struct EpollSet {}", false),
    ("Sources/Vault/Vault+Looking.swift", "extension Looking {}", false),
    ("Sources/Vault/Vault+Looking.swift", "struct Vault {}", false),
    ("Sources/Vault/Vault+Looking.swift", "extension Vault {}", true),
    ("Sources/Wire/DisplayText.swift", "public func displayText() {}", true),
    ("Sources/whorl/Commands/Add.swift", "struct Add {}", false),
    ("Sources/whorl/Commands/Add.swift", "extension Command {\n}", true),
  ])
  func `a file of another name is found`(_ path: String, _ text: String, _ isRight: Bool) {
    #expect(NameRule.problems(source(path, text)).isEmpty == isRight)
  }

  @Test(arguments: [
    ("Sources/Vault/A.swift", "import Linux", false),
    ("Sources/Vault/A.swift", "public import Linux", false),
    ("Sources/Vault/A.swift", "@preconcurrency import SQLite", false),
    ("Sources/Vault/A.swift", "import Systemd", false),
    ("Sources/Vault/A.swift", "import Crypto\n// import Linux", true),
    ("Sources/AccessControl/A.swift", "import Wire", false),
    ("Sources/Wire/A.swift", "import Crypto", false),
    ("Sources/Daemon/A.swift", "import Foundation", false),
    ("Sources/Daemon/A.swift", "import struct Foundation.Data", false),
    ("Sources/Daemon/A.swift", "import Glibc", false),
    ("Sources/Daemon/A.swift", "import CSystemd", false),
    ("Sources/Linux/A.swift", "import CPAM", false),
    ("Sources/PAM/A.swift", "import CPAM", true),
    ("Tests/LinuxTests/A.swift", "import Foundation\nimport Glibc", true),
  ])
  func `an import over a boundary is found`(_ path: String, _ text: String, _ isRight: Bool) {
    #expect(ImportRule.problems(source(path, text)).isEmpty == isRight)
  }

  @Test(arguments: [
    (["A": "import B", "B": ""], 0),
    (["A": "", "B": ""], 1),
    (["A": "import B\nimport C", "B": "", "C": ""], 2),
    (["A": "import B", "B": "import A"], 1),
    (["A": "import B", "B": "", "Stray": ""], 1),
  ])
  func `a manifest that says otherwise is found`(_ files: [String: String], _ count: Int) {
    let manifest = Manifest(
      """
      let package = Package(targets: [
        // .target(name: "Comment"),
        .target(name: "A", dependencies: ["B"], swiftSettings: strict),
        .target(name: "B", swiftSettings: strict), .testTarget(name: "C"),
      ])
      """)
    #expect(manifest.targets.map(\.name) == ["A", "B", "C"])
    #expect(manifest.targets.map(\.folder) == ["Sources/A", "Sources/B", "Tests/C"])
    let sources = files.map { source("Sources/\($0.key)/X.swift", $0.value) }
    #expect(ManifestRule.problems(manifest, sources).count == count)
  }

  @Test(arguments: [
    "extension SecretBytes: CustomStringConvertible {}",
    "public final class SecretBytes: Sendable, Codable {}",
    "extension SecretBytes {\n  public var description: String { \"\" }\n}",
    "extension SecretBytes {\n  static func == (l: SecretBytes, r: SecretBytes) -> Bool { true }\n}",
    "func read(password: String) {}",
    "let secret: [UInt8]",
    "var newPasscodes: [String] = []",
    "func read(into secret: inout [UInt8]) {}",
  ])
  func `a secret that shows is found`(_ text: String) {
    #expect(SecretRule.problems(source("Sources/Daemon/A.swift", text)).count == 1)
  }

  @Test(arguments: [
    "extension SecretBytes {\n  func wipe() {}\n}", "let secret: SecretBytes",
    "enum Passcodes: String {}", "// password: String", "func password(of name: String) {}",
  ])
  func `what only speaks of secrets passes`(_ text: String) {
    #expect(SecretRule.problems(source("Sources/Daemon/A.swift", text)).isEmpty)
  }

  @Test(arguments: [
    ("Sources/Vault/A.swift", "func a() async {}", 1), ("Sources/Wire/A.swift", "Task { a() }", 1),
    ("Sources/WhorlKit/A.swift", "func a() async {}", 0),
    ("Sources/Vault/A.swift", "// async\nlet asynchronous = 1", 0),
  ])
  func `concurrency in the engine is found`(_ path: String, _ text: String, _ count: Int) {
    #expect(WaitingRule.problems(source(path, text)).count == count)
  }

  @Test func `a stranger at the top is found`() {
    #expect(PlaceRule.problems(entries: [".build", "Sources", "README.md"]).isEmpty)
    #expect(PlaceRule.problems(entries: ["Sources", "NOTES.md", "build.log"]).count == 2)
  }

  @Test(arguments: ["work", "home", "Users", "root"])
  func `a path of one machine is found`(_ folder: String) {
    let path = "/\(folder)/main"
    #expect(PlaceRule.problems("a", "x\nsee \(path)/design.md").count == 1)
    #expect(PlaceRule.problems("a", "\(path).txt").count == 1)
    #expect(PlaceRule.problems("a", "/var\(path) and /etc/whorl").isEmpty)
  }
}
