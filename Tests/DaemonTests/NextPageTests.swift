import AccessControl
import Testing
import Vault
import Wire

@testable import Daemon

struct NextPageTests {
  private func matter(_ administration: Administration) throws -> Matter {
    let subject = Subject(
      user: 1000, name: Array("alice".utf8), process: 1, executable: nil)
    return try #require(Matter(administration, of: subject))
  }

  private let bob = Array("bob".utf8)

  @Test func `what was allowed serves its next page, and no other`() throws {
    let log = try matter(.log(user: bob, skipping: 0))
    let page = NextPage(log, from: 256, now: 1000)
    #expect(page.serves(try matter(.log(user: bob, skipping: 256)), from: 256, now: 1001))
    for offset: UInt64 in [0, 1, 255, 257, .max] {
      #expect(!page.serves(log, from: offset, now: 1001))
    }
    #expect(
      !page.serves(try matter(.log(user: Array("carol".utf8), skipping: 256)), from: 256, now: 1))
    #expect(!page.serves(try matter(.list(user: bob, after: 256)), from: 256, now: 1))
  }

  @Test func `it serves within seconds alone`() throws {
    let log = try matter(.log(user: bob, skipping: 0))
    let page = NextPage(log, from: 256, now: 1000)
    #expect(page.serves(log, from: 256, now: 1000 + NextPage.limit - 1))
    #expect(!page.serves(log, from: 256, now: 1000 + NextPage.limit))
  }

  @Test func `what begins anew is no page of it`() throws {
    let log = try matter(.log(user: bob, skipping: 0))
    #expect(!NextPage(log, from: 0, now: 0).serves(log, from: 0, now: 0))
  }

  @Test func `a change of rules says what it changes`() throws {
    let all = RuleChanges(
      passcodeAfterBoot: true, passcodeAfterHours: 24, passcodeAfterFailures: 0)
    #expect(
      try matter(.rules(all)).items.map { String(decoding: $0, as: UTF8.self) } == [
        "passcode-after-boot=on", "passcode-after-hours=24", "passcode-after-failures=0",
      ])
  }
}
