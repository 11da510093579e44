import Foundation
import Glibc
import Testing

@testable import Linux

@Suite struct ProcessLooksTests {
  private let looks = ProcessLooks()
  /// A look at it ends when the other end is closed.
  private let hold = Pipe()

  private static let found = ProcessLooks.Finding.fields(["S"])

  private func hang(of user: UInt32) -> ProcessLooks.Finding? {
    let descriptor = hold.fileHandleForReading.fileDescriptor
    return looks.look(at: user) {
      _ = Readiness.wait(descriptor, milliseconds: -1)
      return Self.found
    }
  }

  private func timed(
    _ look: () -> ProcessLooks.Finding?
  ) -> (answer: ProcessLooks.Finding?, milliseconds: Int64) {
    let start = SteadyClock.milliseconds()
    let answer = look()
    return (answer, SteadyClock.milliseconds() - start)
  }

  @Test func `a look has an answer, or none`() {
    #expect(looks.look(at: 1) { Self.found } == Self.found)
    #expect(looks.look(at: 1) { nil } == nil)
  }

  @Test func `a look that takes too long has none, and its user rests`() {
    let limit = Int64(ProcessLooks.limit)
    let first = timed { hang(of: 1) }
    #expect(first.answer == nil && first.milliseconds >= limit)
    let second = timed { looks.look(at: 1) { Self.found } }
    #expect(second.answer == nil && second.milliseconds < limit)
    #expect(looks.look(at: 2) { Self.found } == Self.found)
    usleep(UInt32(ProcessLooks.rest + 10) * 1000)
    #expect(looks.look(at: 1) { Self.found } == Self.found)
  }
}
