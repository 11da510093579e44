/// No file is longer than what one reads in one go, but the manifest, a list that has to be one file.
enum LengthRule {
  static let limit = 300

  static func problems(_ path: String, _ text: String) -> [String] {
    let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    return count <= limit || path == "Package.swift"
      ? [] : ["\(path): \(count) lines, of \(limit) at most"]
  }
}
