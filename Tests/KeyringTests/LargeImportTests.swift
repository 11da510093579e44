import Foundation
import TestHost
import Testing

/// The import of somebody who never deletes anything.
@Suite(.serialized) struct LargeImportTests {
  @Test func `ten thousand items come over, half of them of one name, and once`() throws {
    let it = try KeyringHost(isEmpty: true)
    let rows = (0..<10_000).map { number in
      number % 2 == 0 ? "mail,alice,secret \(number)\n" : "site \(number),bob,secret \(number)\n"
    }
    let table = "title,username,password\n" + rows.joined()
    func importing() throws -> CommandResult {
      try it.host.whorl(
        ["import", "csv", "-", "--access", "none"], input: table, seconds: 300)
    }
    let started = Date()
    let first = try importing()
    print("10,000 items imported in \(Date().timeIntervalSince(started)) s")
    #expect(first.output == "10000 imported\n", "\(first)")
    #expect(try importing().output == "0 imported, 10000 there already\n")
    for (name, number) in [("mail/alice", 0), ("mail/alice (5000)", 9998), ("site 5001/bob", 5001)]
    {
      #expect(try it.host.whorl(["read", name]).output == "secret \(number)")
    }
  }
}
