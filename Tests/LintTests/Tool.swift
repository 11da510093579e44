import Foundation
import Glibc
import ProgramRun
import TemporaryFolder

/// `whorl lint`, as a person types it.
enum Tool {
  /// The folder of the test bundle, where the programs are built as well.
  private static let built: String = {
    let arguments = CommandLine.arguments
    let bundle =
      arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }()

  /// A folder with both programs, as they are installed: with an owner and modes that `whorl`
  /// trusts, whoever built them and under whatever mask.
  static let folder: String = {
    guard let folder = try? TemporaryFolder() else { return built }
    chmod(folder.path, 0o755)
    _ = try? ProgramRun(
      "/usr/bin/install", ["-m", "755", built + "/whorl", built + "/whorl-lint", folder.path])
    kept = folder
    atexit { Tool.kept = nil }
    return folder.path
  }()

  nonisolated(unsafe) private static var kept: TemporaryFolder?

  static func lint(
    _ arguments: String..., in directory: String? = nil, input: String = ""
  ) throws -> ProgramRun {
    try ProgramRun(folder + "/whorl", ["lint"] + arguments, in: directory, input: input)
  }
}
