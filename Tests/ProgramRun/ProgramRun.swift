import Foundation
import TemporaryFolder
import Testing

/// What a program said until its end.
public struct ProgramRun {
  public let status: Int32
  public let output: String
  public let errors: String

  /// Runs a program with a home of its own and little else in its environment.
  ///
  /// - Parameters:
  ///   - directory: where it runs; its home when nil.
  ///   - seconds: after which it is ended, and the test with an issue.
  public init(
    _ path: String, _ arguments: [String], in directory: String? = nil, input: String = "",
    environment: [String: String] = [:], seconds: Double = 120
  ) throws {
    let folder = try TemporaryFolder()
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is missing")
    try folder.write(Array(input.utf8), to: "input")
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: directory ?? folder.path)
    var all = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path]
    for (name, value) in ProcessInfo.processInfo.environment where name.hasSuffix("SAN_OPTIONS") {
      all[name] = value
    }
    process.environment = all.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder("output")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder("errors")))
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + seconds) == .timedOut {
      process.terminate()
      Issue.record("\(path) does not end")
    }
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: folder(name))), as: UTF8.self)
    }
    status = process.terminationStatus
    output = try text("output")
    errors = try text("errors")
  }
}
