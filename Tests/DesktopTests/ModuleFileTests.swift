import Foundation
import TestHost
import Testing

/// The module is loaded into every program that lets people in: it brings little and shows nothing.
struct ModuleFileTests {
  private func read(_ options: String...) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
    process.arguments = options + [try Modules.whorl()]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `it needs libpam and libc alone, bound at once`() throws {
    let dynamic = try read("-dW")
    let needed = dynamic.filter { $0.contains("(NEEDED)") }.compactMap {
      $0.split(separator: "[").last?.dropLast()
    }
    #expect(needed.sorted() == ["libc.so.6", "libpam.so.0"])
    #expect(dynamic.contains { $0.contains("BIND_NOW") })
  }

  @Test func `it exports what libpam calls, and nothing else`() throws {
    let symbols = try read("--dyn-syms", "-W").map { $0.split(separator: " ").map(String.init) }
    let exported = symbols.filter {
      $0.count == 8 && ["GLOBAL", "WEAK"].contains($0[4]) && $0[6] != "UND"
    }.map { $0[7] }
    #expect(
      exported.sorted() == [
        "pam_sm_authenticate", "pam_sm_chauthtok", "pam_sm_close_session", "pam_sm_open_session",
        "pam_sm_setcred",
      ])
  }

  @Test func `it takes 64 KiB at most`() throws {
    let segments = try read("-lW").map { $0.split(separator: " ").map(String.init) }.filter {
      $0.first == "LOAD"
    }
    try #require(!segments.isEmpty)
    let size = segments.compactMap { Int($0[5].dropFirst(2), radix: 16) }.reduce(0, +)
    #expect(size <= 64 * 1024, "\(size) bytes")
  }
}
