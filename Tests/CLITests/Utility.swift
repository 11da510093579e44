import Foundation
import ProgramRun
import Testing

/// Runs a program of the host that a test needs.
enum Utility {
  /// - Parameters:
  ///   - package: the Debian package that brings the program.
  ///   - other: another program that this one starts, of the same package.
  static func run(
    _ program: String, _ arguments: [String], package: String, needs other: String? = nil,
    input: String = "", environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try #require(
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\(other ?? program)"),
      "\(other ?? program) is missing: install the package \(package)")
    return try ProgramRun(
      "/usr/bin/\(program)", arguments, input: input, environment: environment)
  }
}
