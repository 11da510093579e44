import Foundation
import TemporaryFolder
import Testing

/// Runs a program to its end.
enum Tool {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The folder of the test bundle, where the programs are built as well.
  static let folder: String = {
    let arguments = CommandLine.arguments
    let bundle =
      arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }()

  static func run(
    _ path: String, _ arguments: [String], in directory: String? = nil, input: String = ""
  ) throws -> Result {
    let folder = try TemporaryFolder()
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is missing")
    try folder.write(Array(input.utf8), to: "input")
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: directory ?? folder.path)
    var environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path]
    for (name, value) in ProcessInfo.processInfo.environment where name.hasSuffix("SAN_OPTIONS") {
      environment[name] = value
    }
    process.environment = environment
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder("output")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder("errors")))
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + 120) == .timedOut {
      process.terminate()
      Issue.record("\(path) does not end")
    }
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: folder(name))), as: UTF8.self)
    }
    return Result(
      status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
  }

  /// `whorl lint`, as a person types it.
  static func lint(
    _ arguments: String..., in directory: String? = nil, input: String = ""
  ) throws -> Result {
    try run(folder + "/whorl", ["lint"] + arguments, in: directory, input: input)
  }
}
