import Foundation
import Testing
import TokenStorage

extension TokenStorageTests {
  @Suite struct PageTests {
    @Test func `the page names every protection, the places and their homes`() throws {
      let page = try TokenStorageTests.source("TokenStorage.docc/WhereDoISaveThis.md")
      for protection in KeychainProtection.allCases { #expect(page.contains("| `\(protection)`")) }
      for word in [
        "`~/.config`", "`~/.local/share/APP`", "`~/.cache/APP`", "database", "ThisDeviceOnly",
        "finger", "Duplicates", "Pinning", "synchronization",
      ] {
        #expect(page.contains(word), "\(word)")
      }
    }

    @Test func `the page names only what there is`() throws {
      let page = try TokenStorageTests.source("TokenStorage.docc/WhereDoISaveThis.md")
      var sources = ""
      let files = FileManager.default.enumerator(atPath: TokenStorageTests.sources.path)
      for case let file as String in try #require(files) where file.hasSuffix(".swift") {
        sources += try TokenStorageTests.source(file)
      }
      let types = Set(
        page.matches(of: /`([A-Z]\w+(?:Store|Error|Log|SignIn|Helper|Service))\b/)
          .map { String($0.1) })
      #expect(types.count > 8)
      for type in types {
        #expect(sources.contains(try Regex("(class|struct|enum|protocol|actor) \(type)\\b")))
      }
    }
  }
}
