import Foundation
import Security
import Testing

extension SecurityTests {
  /// Every public function: query, status and shape of the result, with Apple's documented answer
  /// beside ours.
  @Suite struct FunctionTableTests {
    nonisolated(unsafe) static let rows =
      addRows + replaceRows + copyRows + changeRows + keyRows + helperRows + contextRows + rightRows

    @Test func `each call answers as Apple documents, or as the page says`() async throws {
      let page = try Self.page()
      for row in Self.rows {
        // “bob” opens for anyone, “alice” by a person.
        let keychain = try InProcess()
        for (account, extra) in [
          ("bob", [:]), ("alice", [kSecAttrAccessControl: control(.userPresence)]),
        ] as [(String, [CFString: Any])] {
          let item = query(
            extra.merging([kSecValueData: Data(account.utf8)]) { $1 }, account: account)
          #expect(SecItemAdd(item, nil) == errSecSuccess)
        }
        let answer = try await row.run(keychain)
        #expect(answer == row.here ?? row.apple, "\(row.function): \(row.call)")
        #expect((row.here == nil) == (row.difference == nil), "\(row.function): \(row.call)")
        if let difference = row.difference {
          #expect(page.contains("- **\(difference)"), "\(row.function): \(row.call)")
        }
      }
    }

    @Test func `the page and the table name exactly the public functions`() throws {
      let functions = try Self.publicFunctions()
      #expect(functions.count > 70)
      #expect(Set(Self.rows.map(\.function)).symmetricDifference(functions) == [])
      let named = Self.names(in: try Self.page(), below: "## Function by function")
      #expect(named.symmetricDifference(functions) == [])
    }

    @Test func `the page names exactly the flags`() throws {
      let source = try Self.text("Sources/Security/SecAccessControl.swift")
      let flags = Set(
        source.matches(of: /public static let (\w+) = Self\(\./).map { String($0.1) })
      #expect(flags.count == 12)
      #expect(Self.names(in: try Self.page(), below: "## Flag by flag") == flags)
    }

    @Test func `the page names exactly the classes of items and of protection`() throws {
      let source =
        try Self.text("Sources/Security/Constants/ItemClasses.swift")
        + Self.text("Sources/Security/Constants/KeyAttributes.swift")
        + Self.text("Sources/Security/Constants/QueryKeys.swift")
      let classes = Set(
        source.matches(of: /public [^\n]*let (kSecClass\w+|kSecAttrAccessible\w+)\b/)
          .map { String($0.1) })
      #expect(classes.count == 12, "\(classes)")
      #expect(Self.names(in: try Self.page(), below: "## Class by class") == classes)
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
      try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func page() throws -> String {
      try text("Sources/Security/Security.docc/Migrating.md")
    }

    /// The first column of the table below a heading.
    private static func names(in page: String, below heading: String) -> Set<String> {
      let section = page.components(separatedBy: heading + "\n").dropFirst().first ?? ""
      let lines = section.split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      return Set(
        lines.filter { $0.hasPrefix("| `") }.flatMap { line in
          line.split(separator: "|")[0].matches(of: /`([\w.]+)`/).map { String($0.1) }
        })
    }

    /// `SecItemAdd`, `LAContext.invalidate` and so on, read from the sources.
    private static func publicFunctions() throws -> Set<String> {
      var functions: Set<String> = []
      for module in ["Security", "LocalAuthentication"] {
        let folder = root.appendingPathComponent("Sources/\(module)")
        let files = FileManager.default.enumerator(atPath: folder.path)
        for case let file as String in try #require(files) where file.hasSuffix(".swift") {
          var type = ""
          for line in try text("Sources/\(module)/\(file)").components(separatedBy: "\n") {
            if let match = line.firstMatch(
              of: /^(?:\w+ )*(?:class|struct|enum|extension|protocol) (\w+).*\{$/)
            {
              type = String(match.1) + "."
            } else if line.hasPrefix("}") {
              type = ""
            }
            guard
              let match = line.firstMatch(of: /^ *(?:public|open) (?:static )?func ([A-Za-z]\w*)/)
            else { continue }
            // Beside operators and what starts with an underscore. What conforms to the protocol is the
            // protocol's.
            let name = String(match.1)
            functions.insert(
              name == "authContext" ? "SecAuthenticationContext.authContext" : type + name)
          }
        }
      }
      return functions
    }
  }
}
