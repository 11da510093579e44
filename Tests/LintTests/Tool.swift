import Foundation
import ProgramRun

/// `whorl lint`, as a person types it.
enum Tool {
  /// The folder of the test bundle, where the programs are built as well.
  static let folder: String = {
    let arguments = CommandLine.arguments
    let bundle =
      arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }()

  static func lint(
    _ arguments: String..., in directory: String? = nil, input: String = ""
  ) throws -> ProgramRun {
    try ProgramRun(folder + "/whorl", ["lint"] + arguments, in: directory, input: input)
  }
}
