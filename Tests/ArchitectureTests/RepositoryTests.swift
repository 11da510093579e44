import Testing

/// The rules, held by every file of the repository.
struct RepositoryTests {
  private func expectNone(_ problems: [String]) {
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test func `unsafe stands in wrappers, and says why it holds`() throws {
    expectNone(try Repository.products().flatMap(UnsafeRule.problems))
  }

  @Test func `files are short`() throws {
    let paths = try Repository.files().filter { path in
      [".swift", ".h", ".c", ".sh", ".py"].contains { path.hasSuffix($0) }
    }
    expectNone(try paths.flatMap { LengthRule.problems($0, try Repository.text($0)) })
  }

  @Test func `files are named after what they declare`() throws {
    expectNone(try Repository.products().flatMap(NameRule.problems))
  }

  @Test func `no import crosses a boundary`() throws {
    expectNone(try Repository.products().flatMap(ImportRule.problems))
  }

  @Test func `targets import what they depend on`() throws {
    let sources = try Repository.swift.get()
    let manifest = Manifest(try Repository.text("Package.swift"))
    try #require(manifest.targets.count > 20)
    expectNone(ManifestRule.problems(manifest, sources))
  }

  @Test func `a secret is SecretBytes`() throws {
    expectNone(try Repository.products().flatMap(SecretRule.problems))
  }

  @Test func `nothing waits in Swift's concurrency`() throws {
    expectNone(try Repository.products().flatMap(WaitingRule.problems))
  }

  @Test func `the top holds what the map names`() throws {
    expectNone(PlaceRule.problems(entries: try Repository.entries()))
  }

  @Test func `no file knows the machine it was written on`() throws {
    expectNone(
      try Repository.files().flatMap { PlaceRule.problems($0, try Repository.text($0)) })
  }
}
