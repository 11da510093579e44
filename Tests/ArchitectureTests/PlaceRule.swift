import Foundation

/// What lies at the top of the repository, and that no file knows the machine it was written on.
enum PlaceRule {
  static let top: Set = [
    "Package.swift", "Sources", "Tests", "pam", "polkit", "systemd", "README.md", "Makefile",
    "LICENSE", "CHANGELOG.md",
  ]

  static func problems(entries: [String]) -> [String] {
    entries.filter { !$0.hasPrefix(".") && !top.contains($0) }.map { "\($0) at the top" }
  }

  /// Homes, and folders that only one machine has; the slashes keep this file from matching.
  private nonisolated(unsafe) static let machine =
    /(^|[^\w.])[\/](work|home|Users|root|workspace|build)[\/][\w.]|[\/]tmp[\/](plan|wt)[\/]/

  static func problems(_ path: String, _ text: String) -> [String] {
    text.components(separatedBy: "\n").enumerated().compactMap { index, line in
      line.contains(machine) ? "\(path):\(index + 1): a path of one machine" : nil
    }
  }
}
