import Lint
import Linux

/// The other files of the project that a few belong to: what they declare may decide.
enum ProjectFiles {
  /// A project this large is judged whole, by a path.
  private static let limit = 5000

  /// - Parameter place: a file, which need not be there, or a folder.
  static func around(_ place: [UInt8]) -> [[UInt8]] {
    guard let root = root(place), let files = try? FileFinder.files(root), files.count <= limit
    else { return [] }
    return files.filter { FileKind.isKnown(name($0)) }
  }

  /// The nearest folder above that is a repository's or a package's top.
  private static func root(_ place: [UInt8]) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var folder = Array(place[..<(place.lastIndex(of: slash) ?? 0)])
    if (try? RegularFile.kind(place)) == .directory { folder = place }
    if folder.isEmpty { folder = place.first == slash ? [slash] : bytes(".") }
    // Upwards from a relative path by `..`, which at the very top stays there.
    for _ in 0..<32 {
      if ["/.git", "/Package.swift"].contains(where: {
        (try? RegularFile.kind(folder + bytes($0))) != nil
      }) {
        return folder
      }
      if folder == [slash] { return nil }
      if let last = folder.lastIndex(of: slash), folder[(last + 1)...] != bytes("..")[...],
        folder[(last + 1)...] != bytes(".")[...]
      {
        folder = last == 0 ? [slash] : Array(folder[..<last])
      } else if folder == bytes(".") {
        folder = bytes("..")
      } else if folder.suffix(2) == bytes("..")[...] {
        folder += bytes("/..")
      } else {
        folder = bytes(".")
      }
    }
    return nil
  }
}
