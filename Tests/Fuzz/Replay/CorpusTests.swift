import Foundation
import Testing

/// Every input that was ever worth keeping, without the fuzzer.
struct CorpusTests {
  struct Missing: Error {
    let target: String
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `the rules hold for the corpus`(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for url in try Self.inputs(of: name) {
      do { try target.check([UInt8](Data(contentsOf: url))) } catch {
        Issue.record(error, "\(name)/\(url.lastPathComponent)")
      }
    }
  }

  @Test func `every corpus has its target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
  }

  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  /// - Throws: when there is none, for then nothing would be tested.
  private static func inputs(of target: String) throws -> [URL] {
    let urls = try FileManager.default.contentsOfDirectory(
      at: corpus.appending(path: target), includingPropertiesForKeys: nil)
    guard !urls.isEmpty else { throw Missing(target: target) }
    return urls.sorted { $0.path < $1.path }
  }
}
