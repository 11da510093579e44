import Foundation
import TestHost
import Testing
import TokenStorage

extension TokenStorageTests {
  @Suite struct AppLogTests {
    @Test func `a value is private unless it is marked`() {
      let lines = Locked<[String]>([])
      let log = AppLog(subsystem: "app", category: "cart") { fields in
        lines.withLock { $0.append(fields.map(\.value).joined(separator: "|")) }
      }
      let (token, count) = ("tok-123", 7)
      log.error("plain")
      log.info("token \(token) of \(count, privacy: .public)")
      log.notice("\(token, privacy: .private)\(count)")
      log.debug("done")
      #expect(
        lines.withLock { $0 } == [
          "plain|3|app|cart", "token <private> of 7|6|app|cart",
          "<private><private>|5|app|cart", "done|7|app|cart",
        ])
    }

    @Test func `a private value is not asked for its description`() {
      final class Probe: CustomStringConvertible, Sendable {
        let wasAsked = Locked(false)
        var description: String {
          wasAsked.withLock { $0 = true }
          return "secret"
        }
      }
      let probe = Probe()
      AppLog(category: "test") { _ in }.info("\(probe)")
      #expect(!probe.wasAsked.withLock { $0 })
      AppLog(category: "test") { _ in }.info("\(probe, privacy: .public)")
      #expect(probe.wasAsked.withLock { $0 })
    }

    @Test(.enabled(if: Namespace.isOwn, Namespace.need))
    func `the journal gets it`() throws {
      let journal = try JournalListener()
      AppLog(subsystem: "app", category: "cart").notice("\("a")=\("b", privacy: .public)")
      let record = try #require(journal.records().first)
      #expect(record["MESSAGE"] == "<private>=b" && record["PRIORITY"] == "5")
      #expect(record["SYSLOG_IDENTIFIER"] == "app" && record["CATEGORY"] == "cart")
    }
  }
}
