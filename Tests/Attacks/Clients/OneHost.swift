import TestHost
import Testing

/// One host for all tests of a suite, made for the first and ended with the last. For suites whose
/// tests leave the host as they found it.
struct OneHost: SuiteTrait, TestScoping {
  /// More of the daemon's configuration.
  let lines: [String]

  // Suites run one after the other, and their tests too.
  nonisolated(unsafe) private static var current: PrivateHost?

  static func get() throws -> PrivateHost { try #require(current) }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    Self.current = try PrivateHost.plain(lines)
    defer { Self.current = nil }
    try await function()
  }
}

extension Trait where Self == OneHost {
  static func host(_ lines: String...) -> OneHost { OneHost(lines: lines) }
}
