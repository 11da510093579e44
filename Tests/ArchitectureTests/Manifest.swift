/// What `Package.swift` says of the targets.
struct Manifest {
  struct Target: Equatable {
    let name: String
    let folder: String
    let dependencies: Set<String>
  }

  let targets: [Target]

  init(_ text: String) {
    let code = text.split(separator: "\n").filter { !$0.contains(/^\s*\/\//) }
      .joined(separator: "\n")
    // The first piece is what stands before the first target.
    // A function makes the targets of Apple-style clients, which are alike.
    let pieces = code.replacing(/func appleClients[\s\S]*?\n}\n/, with: "").split(
      separator: /\.(?=\w*[tT]arget\(|systemLibrary\()/
    ).dropFirst()
    targets = pieces.compactMap { piece in
      guard let kind = piece.prefixMatch(of: /\w+/)?.0,
        let name = piece.firstMatch(of: /name: "([^"]+)"/)?.1
      else { return nil }
      let list = piece.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
      let folder = kind == "testTarget" ? "Tests" : "Sources"
      return Target(
        name: String(name),
        folder: piece.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
          ?? "\(folder)/\(name)",
        dependencies: Set(list.matches(of: /"([^"]+)"/).map { String($0.1) }))
    }
  }
}

/// What a target imports is what the manifest lets it depend on, no more and no less.
enum ManifestRule {
  /// Folders whose targets the manifest computes, so that their lists are not there to be read, and
  /// one that is a package of its own.
  private static let computed: Set = ["Tests/AppleClients", "Tests/Fuzz", "Tests/DependentPackage"]

  /// Targets that have the files of another one by a link, all but its entry point.
  private static let linked = ["Sources/whorl-keyring": "Sources/whorl"]

  static func problems(_ manifest: Manifest, _ sources: [SwiftSource]) -> [String] {
    let own = Set(manifest.targets.map(\.name))
    let known = Set(manifest.targets.map(\.folder))
    let strays = sources.filter { source in
      !(known.union(computed).contains { source.path.hasPrefix($0 + "/") })
    }
    return strays.map { "\($0.path): of no target" }
      + manifest.targets.filter { target in
        !computed.contains { target.folder.hasPrefix($0) }
      }.flatMap { target in
        let imports = Set(
          sources.filter { isOf(target, $0) }.flatMap(\.imports)
        ).intersection(own)
        return imports.subtracting(target.dependencies).sorted().map {
          "\(target.name) imports \($0) and does not depend on it"
        }
          + target.dependencies.subtracting(imports).sorted().map {
            "\(target.name) depends on \($0) and does not import it"
          }
      }
  }

  private static func isOf(_ target: Manifest.Target, _ source: SwiftSource) -> Bool {
    if source.path.hasPrefix(target.folder + "/") { return true }
    guard let folder = linked[target.folder] else { return false }
    return source.path.hasPrefix(folder + "/") && source.name != "main.swift"
  }
}
