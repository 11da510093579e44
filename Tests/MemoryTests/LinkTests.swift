import Foundation
import TestHost
import Testing

/// How the programs are linked.
@Suite struct LinkTests {
  private func readelf(_ option: String, _ program: String) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
    process.arguments = [option, "--wide", "\(PrivateHost.programs)/\(program)"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").map(String.init)
  }

  /// A lazy resolver saves registers, and with them pieces of a secret, on the stack.
  @Test(arguments: ["whorld", "whorl-pam-worker", "whorl-print-reader"])
  func `a root program binds at once and has no path into the toolchain`(program: String) throws {
    let dynamic = try readelf("--dynamic", program)
    #expect(dynamic.contains { $0.contains("BIND_NOW") })
    #expect(dynamic.contains { $0.contains("NOW PIE") })
    let paths = dynamic.filter { $0.contains("PATH)") }
    #expect(paths.allSatisfy { $0.hasSuffix("[$ORIGIN]") }, "\(paths)")
    #expect(!dynamic.contains { $0.contains("libswift") })
  }

  @Test(arguments: ["whorl", "whorld", "whorl-pam-worker", "whorl-print-reader"])
  func `no program has a stack that can be executed`(program: String) throws {
    let segments = try readelf("--program-headers", program)
    let stack = try #require(segments.first { $0.contains("GNU_STACK") })
    #expect(stack.contains(" RW "), "\(stack)")
    #expect(segments.contains { $0.contains("GNU_RELRO") })
    #expect(!segments.contains { $0.contains(" RWE ") })
  }

  @Test func `the command line needs no library`() throws {
    #expect(try !readelf("--program-headers", "whorl").contains { $0.contains("INTERP") })
  }
}
