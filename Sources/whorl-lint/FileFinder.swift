import Lint
import Linux

/// The files below a path that may be read. Links are not followed.
enum FileFinder {
  /// Folders that hold no source of the project: of version control, builds and other people's code.
  private static let left: Set = [
    ".git", ".build", ".swiftpm", "DerivedData", "node_modules", "Pods", "Carthage", ".hg", ".svn",
    "xcuserdata",
  ]

  /// - Parameter path: a file, which is taken whatever it is called, or a folder.
  static func files(_ path: [UInt8]) throws(LintFailure) -> [[UInt8]] {
    do throws(SystemError) {
      switch try RegularFile.kind(path) {
      case .regular: return [path]
      case .directory:
        var found: [[UInt8]] = []
        try walk(try FolderHandle(path: name(path)), prefix(path), &found)
        return found
      case .other: break
      }
    } catch {
      throw LintFailure.reading(path, error)
    }
    throw LintFailure(message: "\(name(path)): a link or no file; links are not followed")
  }

  private static func prefix(_ path: [UInt8]) -> [UInt8] {
    if path == [UInt8(ascii: ".")] { return [] }
    return path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  private static func walk(
    _ folder: FolderHandle, _ prefix: [UInt8], _ found: inout [[UInt8]]
  ) throws(SystemError) {
    for entry in try folder.names(limit: 1 << 20) {
      switch try folder.kind(entry) {
      case .regular: if isRead(prefix + entry) { found.append(prefix + entry) }
      case .directory:
        guard !left.contains(name(entry)) else { continue }
        try walk(try folder.folder(entry), prefix + entry + [UInt8(ascii: "/")], &found)
      case .other: break
      }
    }
  }

  /// Whether the name is one that is read, or may be a script's.
  static func isRead(_ path: [UInt8]) -> Bool {
    let last = path.split(separator: UInt8(ascii: "/")).last ?? []
    return FileKind.isKnown(name(path)) || !last.contains(UInt8(ascii: "."))
  }
}
