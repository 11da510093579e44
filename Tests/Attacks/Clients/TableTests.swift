import Foundation
import TestHost
import Testing

/// The tables of attacks beside this folder.
@Suite struct TableTests {
  private static let tests = PrivateHost.repository.appendingPathComponent("Tests")

  /// The table rows of every page in Tests/Attacks, without the heads.
  private static func rows() throws -> [[Substring]] {
    let folder = tests.appendingPathComponent("Attacks")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }.flatMap { name in
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
          .split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasSuffix("| Shown by |") }
          .map { $0.split(separator: " | ") }
      }
  }

  /// Every test of the package as `Suite/name`; a suite has its file's name.
  private static func names() throws -> Set<String> {
    var names: Set<String> = []
    let files = FileManager.default.enumerator(atPath: tests.path)?.allObjects as? [String] ?? []
    for file in files where file.hasSuffix("Tests.swift") {
      let suite = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      let text = try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
      guard text.contains("@Test") else { continue }
      for piece in text.components(separatedBy: "func `").dropFirst() {
        names.insert("\(suite)/\(piece.prefix { $0 != "`" })")
      }
    }
    return names
  }

  /// The tests that a row names.
  private static func named(in row: [Substring]) -> [String] {
    let pieces = (row.last ?? "").components(separatedBy: "`")
    return pieces.indices.filter { $0 % 2 == 1 }.map { pieces[$0] }
  }

  @Test func `the tables have at least forty rows of three columns, each with its tests`() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 40)
    for row in rows {
      #expect(row.count == 3, "\(row)")
      #expect(!Self.named(in: row).isEmpty, "\(row)")
    }
  }

  @Test func `every test that the tables name is there`() throws {
    let names = try Self.names()
    for row in try Self.rows() {
      for name in Self.named(in: row) { #expect(names.contains(name), "no test \(name)") }
    }
  }

  @Test(arguments: ["Attacks/Clients", "Attacks/Host", "FaultTests"])
  func `every attack and fault that is tested stands in a table`(folder: String) throws {
    let named = Set(try Self.rows().flatMap(Self.named))
    let path = Self.tests.appendingPathComponent(folder).path
    let suites = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix("Tests.swift") && $0 != "TableTests.swift" }
      .map { $0.dropLast(".swift".count) + "/" }
    for name in try Self.names() where suites.contains(where: { name.hasPrefix($0) }) {
      #expect(named.contains(name), "no row for \(name)")
    }
  }
}
