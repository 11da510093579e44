import Foundation
import TemporaryFolder
import Testing

/// Runs a program of the host that a test needs.
enum Utility {
  struct Output {
    let status: Int32
    let text: String
    let errors: String
  }

  /// - Parameters:
  ///   - package: the Debian package that brings the program.
  ///   - other: another program that this one starts, of the same package.
  static func run(
    _ program: String, _ arguments: [String], package: String, needs other: String? = nil,
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> Output {
    let folder = try TemporaryFolder()
    let path = "/usr/bin/\(program)"
    try #require(
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\(other ?? program)"),
      "\(other ?? program) is missing: install the package \(package)")
    try folder.write(Array(input.utf8), to: "input")
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path].merging(
      environment
    ) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder("output")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder("errors")))
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + 60) == .timedOut {
      process.terminate()
      Issue.record("\(program) does not end")
    }
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: folder(name))), as: UTF8.self)
    }
    return Output(
      status: process.terminationStatus, text: try text("output"), errors: try text("errors"))
  }
}
