import Lint
import Linux

/// What the next commit would hold, read from git's index and not from the work tree.
enum StagedFiles {
  private static let outputLimit = 1 << 30

  static func sources() throws(LintFailure) -> [Source] {
    let list = try git([
      "diff", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=ACMT",
    ])
    let paths = list.split(separator: 0).map { Array($0) }.filter(FileFinder.isRead)
    guard !paths.isEmpty else { return [] }
    let newline = UInt8(ascii: "\n")
    // Such a name cannot be asked for by line; no one means one.
    if let strange = paths.first(where: { $0.contains(newline) }) {
      throw LintFailure(message: "\(name(strange)): a name of two lines")
    }
    let request = paths.flatMap { bytes(":") + $0 + [newline] }
    return try contents(try git(["cat-file", "--batch"], input: request), paths)
  }

  /// Takes apart `OBJECT TYPE SIZE`, the content, and a line's end, for each path.
  private static func contents(
    _ output: [UInt8], _ paths: [[UInt8]]
  ) throws(LintFailure) -> [Source] {
    var sources: [Source] = []
    var index = 0
    for path in paths {
      guard let end = output[index...].firstIndex(of: UInt8(ascii: "\n")) else {
        throw unread(path)
      }
      let words = output[index..<end].split(separator: UInt8(ascii: " "))
      guard words.count == 3, let count = Int(name(Array(words[2]))), end + 1 + count < output.count
      else { throw unread(path) }
      // A submodule's commit is no file.
      if name(Array(words[1])) == "blob" {
        sources.append(
          Source(path: path, content: .bytes(Array(output[(end + 1)..<(end + 1 + count)]))))
      }
      index = end + 1 + count + 1
    }
    return sources
  }

  private static func unread(_ path: [UInt8]) -> LintFailure {
    LintFailure(message: "\(name(path)): git does not give its staged content")
  }

  static func git(_ words: [String], input: [UInt8] = []) throws(LintFailure) -> [UInt8] {
    do throws(SystemError) {
      let (status, output) = try ChildProgram.output(
        of: [bytes("git")] + words.map(bytes), input: input, limit: outputLimit)
      if status == 0 { return output }
    } catch {
      throw LintFailure(message: "git cannot be run (error \(error.code))")
    }
    throw LintFailure(message: "git \(words[0]) failed")
  }
}
