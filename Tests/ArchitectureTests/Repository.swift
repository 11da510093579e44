import Foundation
import Testing

/// The repository that these tests were built from.
enum Repository {
  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Every file that is no product of a build, below the top, sorted.
  static func files() throws -> [String] {
    let enumerator = try #require(FileManager.default.enumerator(atPath: top))
    var files: [String] = []
    for case let path as String in enumerator {
      if path == ".build" || path == ".git" {
        enumerator.skipDescendants()
      } else if enumerator.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        files.append(path)
      }
    }
    // A loader that finds nothing would pass every check.
    try #require(files.contains("Package.swift") && files.count > 100)
    return files.sorted()
  }

  static func text(_ path: String) throws -> String {
    // What is no text has no lines to find fault with, but may still hold a path.
    String(decoding: try Data(contentsOf: URL(filePath: "\(top)/\(path)")), as: UTF8.self)
  }

  /// Every Swift file of the products and tests, read once.
  static let swift = Result {
    try files().filter { $0.hasSuffix(".swift") && $0 != "Package.swift" }.map {
      SwiftSource(path: $0, text: try text($0))
    }
  }

  static func products() throws -> [SwiftSource] {
    let sources = try swift.get().filter(\.isProduct)
    try #require(!sources.isEmpty)
    return sources
  }

  static func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: top).sorted()
  }
}
