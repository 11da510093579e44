@testable import Daemon

extension FuzzTarget {
  static let configuration = FuzzTarget(name: "configuration") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let configuration: Configuration
    do throws(Configuration.Problem) { configuration = try Configuration(parsing: text) } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      try require((1...lines).contains(error.line), "a problem is on a line of the file")
      return
    }
    try requireRanges(configuration)
    try require(
      try Configuration(parsing: printed(configuration)) == configuration,
      "a printed configuration reads as itself")
    let dos = text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    try require(
      (try? Configuration(parsing: dos)) == configuration, "how lines end changes nothing")
    try require(
      (try? Configuration(parsing: text + "\n# \u{301}\n")) == configuration,
      "a comment says nothing")
  }

  /// By the table of keys, so that a new key is held to its own rule without being named here.
  private static func requireRanges(_ read: Configuration) throws {
    for key in ConfigurationKey.all {
      let value = key.value(read)
      switch key.form {
      case .path:
        try require(
          value == key.standard || value.utf8.first == UInt8(ascii: "/"),
          "paths are absolute: \(key.name)")
      case .busAddress: try require(value.hasPrefix("unix:"), "a bus is on this host: \(key.name)")
      case .choice(let choices):
        try require(choices.contains { $0.word == value }, "words are the key's: \(key.name)")
      case .number(let range, _):
        try require(
          Int64(value).map(range.contains) == true, "numbers have their ranges: \(key.name)")
      }
    }
  }

  private static func printed(_ read: Configuration) -> String {
    ConfigurationKey.all.filter { !$0.value(read).isEmpty }
      .map { "\($0.name) = \($0.value(read))" }.joined(separator: "\n")
  }
}
